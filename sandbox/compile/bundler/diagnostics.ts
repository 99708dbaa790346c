/** Findings of esbuild about a script, as data for the engine. */
import type { Message } from "esbuild";
import { type BundlerCode, type BundlerDiagnostic, MOST_DIAGNOSTICS } from "./messages.ts";

/** Most characters of a diagnostic's message. */
const MESSAGE = 1_000;

/** The code of a diagnostic of ours, as it travels through esbuild (`detail` of a message). */
export class DiagnosticCode {
  readonly code: BundlerCode;

  constructor(code: BundlerCode) {
    this.code = code;
  }
}

/** Makes diagnostics of esbuild's messages, the first ones where there are too many. */
export function toDiagnostics(messages: readonly Message[]): BundlerDiagnostic[] {
  return messages.slice(0, MOST_DIAGNOSTICS).map(({ detail, text, location }) => ({
    code: detail instanceof DiagnosticCode ? detail.code : "SANDBOX_SYNTAX",
    message: text.slice(0, MESSAGE),
    module: location?.file ?? null,
    line: location?.line ?? 1,
    column: location?.column ?? 0,
    length: location?.length ?? 0,
  }));
}
