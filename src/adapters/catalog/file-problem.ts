/** Problems of a file of the catalog as a whole. */
import type { Code } from "../../core/codes/code.ts";
import { explain } from "../../core/codes/codes.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { MAX_SCRIPT_BYTES } from "../../core/script/script-limits.ts";
import type { FileRead } from "./catalog-file.ts";

/** The problem of a file that is not checked, because it can't be had. */
export function readProblem(file: string, read: Exclude<FileRead, { kind: "text" }>): Problem {
  switch (read.kind) {
    case "unreadable":
      return createFileProblem("CATALOG_FILE_UNREADABLE", file, `the file "${file}" can't be read: ${read.reason}`);
    case "not-utf8":
      return createFileProblem("CATALOG_FILE_NOT_UTF8", file, `the file "${file}" is not UTF-8`);
    case "too-large": {
      const message = `the file "${file}" has more than the allowed ${MAX_SCRIPT_BYTES} bytes`;
      return createFileProblem("SCRIPT_TOO_LARGE", file, message);
    }
    case "gone":
    case "changing":
      return createFileProblem("CATALOG_FILE_CHANGING", file, `the file "${file}" changes while it is read`);
  }
}

/** The problem of a file that was had, and could not be checked. */
export function createUncheckedProblem(file: string, reason: string): Problem {
  return createFileProblem("CATALOG_FILE_UNCHECKED", file, `the file "${file}" is left out: ${reason}`);
}

/** A problem of a file as a whole. */
export function createFileProblem(code: Code, file: string, message: string): Problem {
  return { code, severity: "error", message, path: [], file, line: 1, column: 1, length: 1, hint: explain(code).hint };
}
