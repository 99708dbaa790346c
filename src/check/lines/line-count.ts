/** Which lines of an app's TypeScript its trials came to. */
import { createHash } from "node:crypto";
import { SourceMap, type SourceMapPayload } from "node:module";
import type { CompiledScript, Sandbox } from "../../../sandbox/contract.ts";
import type { Coverage } from "../coverage.ts";
import { filterLines } from "./filter-lines.ts";
import { type Instrumented, instrument, TOLD } from "./instrument.ts";

/** Counts for one app, whatever worlds it is played in. */
export class LineCount {
  /** By the hash of the script that tells. */
  readonly #scripts = new Map<string, CountedScript>();
  /** By file; true: reached. */
  readonly #lines = new Map<string, Map<number, boolean>>();

  /** The same sandbox, whose scripts tell what they come to; what they tell is heard by nobody else. */
  attach(sandbox: Sandbox): Sandbox {
    return {
      health: () => sandbox.health(),
      compile: async (request) => {
        const result = await sandbox.compile(request);
        return result.ok ? { ok: true, script: this.#count(result.script) } : result;
      },
      run: (request, scriptHost) => {
        const { request: heard, scriptHost: host } = filterLines(request, scriptHost, this.#hear(request.script));
        return sandbox.run(heard, host);
      },
      load: () => sandbox.load(),
      close: () => sandbox.close(),
    };
  }

  /** Lines of functions that begin a statement; null where no script was compiled. */
  coverage(): Coverage | null {
    const all = [...this.#lines.values()].flatMap((lines) => [...lines.values()]);
    if (all.length === 0) return null;
    const missed = [...this.#lines].flatMap(([file, lines]) =>
      joinLines([...lines].toSorted(([a], [b]) => a - b)).map((range) => `${file}:${range}`),
    );
    return { of: "lines", reached: all.filter(Boolean).length, all: all.length, missed };
  }

  #count(script: CompiledScript): CompiledScript {
    const instrumented = instrument(script.code);
    if (instrumented === null) return script;
    const { code } = instrumented;
    const sha256 = createHash("sha256").update(code).digest("hex");
    if (!this.#scripts.has(sha256)) this.#add(sha256, new CountedScript(instrumented, script.sourceMap));
    return { sha256, code, sourceMap: script.sourceMap };
  }

  #add(sha256: string, counted: CountedScript): void {
    this.#scripts.set(sha256, counted);
    for (const place of counted.places) {
      const lines = this.#lines.get(place?.file ?? "") ?? new Map<number, boolean>();
      if (place === null) continue;
      this.#lines.set(place.file, lines);
      lines.set(place.line, lines.get(place.line) ?? false);
    }
  }

  /** Takes what a script tells out of its log lines. */
  #hear(script: CompiledScript): (lines: readonly string[]) => readonly string[] {
    const counted = this.#scripts.get(script.sha256);
    return (lines) =>
      lines.filter((line) => {
        const [, told] = line.split(TOLD);
        if (counted === undefined || told === undefined) return true;
        for (const number of told.split(" ")) {
          const place = counted.places[Number(number)];
          if (place != null) this.#lines.get(place.file)?.set(place.line, true);
        }
        return false;
      });
  }
}

/** A line of an author's file, from 1. */
interface Place {
  readonly file: string;
  readonly line: number;
}

class CountedScript {
  /** Of every statement by its number; null: none of an author's file. */
  readonly places: readonly (Place | null)[];

  constructor({ places }: Instrumented, sourceMap: string) {
    const payload: SourceMapPayload = JSON.parse(sourceMap);
    const map = new SourceMap(payload);
    const own = new Set(payload.sources.filter((_name, index) => payload.sourcesContent[index] != null));
    this.places = places.map(({ line, column }) => {
      const entry = map.findEntry(line, column);
      if (!("originalSource" in entry) || !own.has(entry.originalSource)) return null;
      return { file: entry.originalSource, line: entry.originalLine + 1 };
    });
  }
}

/** Missed lines, as `3` or `5-8`: one range where no line between them was reached. */
function joinLines(lines: readonly (readonly [number, boolean])[]): readonly string[] {
  const ranges: { readonly first: number; last: number }[] = [];
  let isOpen = false;
  for (const [line, reached] of lines) {
    const range = ranges.at(-1);
    if (!reached && isOpen && range !== undefined) range.last = line;
    else if (!reached) ranges.push({ first: line, last: line });
    isOpen = !reached;
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}
