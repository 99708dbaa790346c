/** Checks the frames of the stand-ins of this process and of its children; keeps what is wrong and what was counted. */
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FRAMES, type StandinFrame } from "../../../src/standin/rpc/frames.ts";
import { type Counts, checkFrame } from "./check-frame.ts";

const PRELOAD = `--import=${fileURLToPath(new URL("publish-frames.mjs", import.meta.url))}`;

export class FrameCollector {
  readonly #folder = mkdtempSync(join(tmpdir(), "slipway-frames-"));
  /** Bytes read of each child's file. */
  readonly #read = new Map<string, number>();
  readonly #counts: Counts = new Map();
  readonly #wrong = new Set<string>();
  readonly #hear = (frame: unknown): void => this.#check(frame as StandinFrame);

  /** Listens in this process, and in every child that inherits its environment. */
  start(): void {
    subscribe(FRAMES.name, this.#hear);
    process.env["SLIPWAY_FRAMES"] = this.#folder;
    const options = process.env["NODE_OPTIONS"] ?? "";
    if (!options.includes(PRELOAD)) process.env["NODE_OPTIONS"] = `${options} ${PRELOAD}`.trim();
  }

  /** Throws when a frame since the last call was wrong. */
  throwWrong(): void {
    this.#readChildren();
    const wrong = [...this.#wrong];
    this.#wrong.clear();
    if (wrong.length > 0) throw new Error(`frames unlike those of the real host:\n${wrong.join("\n")}`);
  }

  /** Ends it as `throwWrong` does; the counts go to the folder `SLIPWAY_FRAME_COUNTS` names. */
  end(): void {
    unsubscribe(FRAMES.name, this.#hear);
    try {
      this.throwWrong();
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
      const counted = process.env["SLIPWAY_FRAME_COUNTS"];
      if (counted !== undefined && this.#counts.size > 0) {
        writeFileSync(join(counted, `${randomUUID()}.json`), JSON.stringify(Object.fromEntries(this.#counts)));
      }
    }
  }

  #readChildren(): void {
    for (const name of readdirSync(this.#folder)) {
      const from = this.#read.get(name) ?? 0;
      const content = readFileSync(join(this.#folder, name)).subarray(from);
      const end = content.lastIndexOf("\n") + 1;
      this.#read.set(name, from + end);
      for (const line of content.toString("utf8", 0, end).split("\n")) if (line !== "") this.#check(JSON.parse(line));
    }
  }

  #check(frame: StandinFrame): void {
    for (const sentence of checkFrame(frame, this.#counts)) this.#wrong.add(sentence);
  }
}
