/** The findings of esbuild about a script, as data for the engine. */
import type { Message } from "esbuild";
import { type BundlerCode, type BundlerFault, FAULTS } from "./messages.ts";

/** Most characters of a fault's message. */
const MESSAGE = 1_000;

/** A fault of ours as it travels through esbuild (`detail` of a message). */
export class ScriptFault {
  readonly code: BundlerCode;

  constructor(code: BundlerCode) {
    this.code = code;
  }
}

/** Faults from esbuild's messages: the first ones where there are too many. */
export function toFaults(messages: readonly Message[]): BundlerFault[] {
  return messages.slice(0, FAULTS).map(({ detail, text, location }) => ({
    code: detail instanceof ScriptFault ? detail.code : "SANDBOX_SYNTAX",
    message: text.slice(0, MESSAGE),
    module: location?.file ?? null,
    line: location?.line ?? 1,
    column: location?.column ?? 0,
    length: location?.length ?? 0,
  }));
}
