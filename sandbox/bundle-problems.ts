/** Compile errors as problems: the author's file, 1-based line and column in UTF-16 units. */
import type { Message } from "esbuild";
import { type Code, explain } from "../src/core/codes.ts";
import type { Problem } from "../src/core/problems.ts";

/** Name of the module that re-exports the entrypoint: no author's file. */
export const ENTRY = "slipway:entry";

/** A fault of ours as it travels through esbuild (`detail` of a message). */
export class BundleFault {
  readonly code: Code;

  constructor(code: Code) {
    this.code = code;
  }
}

/** One of esbuild's messages; `file` stands in where it has no place. */
export function problemOf(message: Message, file: string): Problem {
  const code = message.detail instanceof BundleFault ? message.detail.code : "SANDBOX_SYNTAX";
  const { location } = message;
  if (location === null || location.file === ENTRY) return problemAt(code, message.text, file);
  const line = Buffer.from(location.lineText);
  const units = (from: number, to: number) => line.toString("utf8", from, to).length;
  return {
    ...problemAt(code, message.text, withoutNamespace(location.file)),
    line: location.line,
    column: units(0, location.column) + 1,
    length: units(location.column, location.column + location.length),
  };
}

/** A problem of a file as a whole. */
export function problemAt(code: Code, message: string, file: string): Problem {
  return { code, severity: "error", message, path: [], file, line: 1, column: 1, length: 0, hint: explain(code).hint };
}

/** `catalog:plex/hook.ts` as esbuild names it, without the namespace. */
export function withoutNamespace(name: string): string {
  return name.replace(/^(catalog|inline):/, "");
}
