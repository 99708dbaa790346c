/** Which branches of a script's `$IF`s were taken. */
import type { TakenBranch } from "../../core/plan/plan-trace.ts";
import type { Coverage } from "../coverage.ts";
import type { PlacedCall } from "./macro-calls.ts";

/** Longest text of an `$IF` that is shown, in UTF-16 units. */
const SHOWN = 80;

/** Collects what trials took of the `$IF`s of one script. */
export class Branches {
  readonly #ifs: readonly PlacedCall[];
  readonly #taken = new Set<string>();

  constructor(calls: readonly PlacedCall[]) {
    this.#ifs = calls.filter(({ call }) => call.name === "IF");
  }

  add(taken: readonly TakenBranch[]): void {
    for (const { path, offset, holds } of taken) this.#taken.add(toKey(path, offset, holds));
  }

  /** The macros of every text in which a branch was not taken yet, a list for each text. */
  open(calls: readonly PlacedCall[]): readonly (readonly PlacedCall[])[] {
    const open = new Set(this.#missed().map(({ placed }) => placed.template));
    return [...Map.groupBy(calls, ({ template }) => template)].flatMap(([template, own]) =>
      open.has(template) ? [own] : [],
    );
  }

  coverage(): Coverage {
    const missed = this.#missed();
    const all = this.#ifs.length * 2;
    return { of: "branches", reached: all - missed.length, all, missed: missed.map(describe) };
  }

  #missed(): readonly MissedBranch[] {
    return this.#ifs.flatMap((placed) =>
      [true, false].flatMap((holds) =>
        this.#taken.has(toKey(placed.path, placed.call.offset, holds)) ? [] : [{ placed, holds }],
      ),
    );
  }
}

interface MissedBranch {
  readonly placed: PlacedCall;
  readonly holds: boolean;
}

function toKey(path: PlacedCall["path"], offset: number, holds: boolean): string {
  return JSON.stringify([path, offset, holds]);
}

function describe({ placed: { path, template, call }, holds }: MissedBranch): string {
  const written = template.source.slice(call.offset, call.offset + call.length);
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
  return `${path.join(".")}: the ${holds ? "first" : "second"} branch of ${shown}`;
}
