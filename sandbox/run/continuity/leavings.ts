/** Notes each request that leaves once only, before it does: where its outcome is lost, a person is asked about it. */
import { type Mask, maskCut } from "../../../src/core/report/mask.ts";
import { classifyCall } from "../../journal/call-class.ts";
import type { RecordOf } from "../../journal/record.ts";
import { showAddress } from "../../journal/show-address.ts";
import { type OutOp, TEXT_LIMITS } from "../../protocol/ops.ts";
import type { ScriptCall } from "../deliveries.ts";

export interface LeavingsPorts {
  readonly mask: Mask;
  /** Wall clock, ms since 1970. */
  now(): number;
  add(record: RecordOf<"left"> | RecordOf<"choice">): void;
}

type Request = OutOp & { op: "fetch" };

export class Leavings {
  readonly #ports: LeavingsPorts;
  /** Requests whose leaving needs no note any more. */
  readonly #noted = new Set<number>();
  /** Those that were noted, and of which nothing is known since. */
  readonly #uncertain = new Set<number>();

  constructor(ports: LeavingsPorts) {
    this.#ports = ports;
  }

  /** Notes the requests of a delivery that will leave as it ends: there is room for so many of its calls. */
  noteAhead(calls: readonly ScriptCall[], room: number): void {
    for (const { op } of calls.filter(takesRoom).slice(0, Math.max(0, room))) {
      if (op.op !== "fetch" || !isSentOnce(op)) continue;
      this.#note(op);
      this.#noted.add(op.id);
    }
  }

  /** Notes that it leaves; false where there is nothing to note. */
  note(op: Request): boolean {
    if (!isSentOnce(op) || this.#noted.delete(op.id)) return false;
    this.#note(op);
    return true;
  }

  /** It leaves again: nobody will be asked about it. */
  leavesAgain(id: number): void {
    this.#noted.add(id);
  }

  settled(id: number): void {
    this.#uncertain.delete(id);
  }

  /** The run stops for now: those that were noted and have not left may do so later. */
  retryLater(hasLeft: (id: number) => boolean): void {
    for (const id of this.#uncertain) {
      if (!hasLeft(id)) this.#ports.add({ is: "choice", id, choice: "retry" });
    }
  }

  #note({ id, method, url }: Request): void {
    const { mask, now, add } = this.#ports;
    const shown = (text: string) => maskCut(text, mask, TEXT_LIMITS.value);
    this.#uncertain.add(id);
    add({
      is: "left",
      id,
      method: shown(method),
      url: shown(showAddress(url) ?? ""),
      at: now(),
    });
  }
}

/** A call that makes requests: others stand in line where there is no room for it. */
export function takesRoom({ op }: ScriptCall): boolean {
  return op.op === "fetch" || op.op === "waitForApp";
}

/** It changes something each time it is sent. */
export function isSentOnce(op: Request): boolean {
  return classifyCall(op) === "once";
}
