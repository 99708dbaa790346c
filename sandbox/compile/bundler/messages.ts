/** Messages between the engine and the bundler's process over the pipe: headers of frames (frames.ts). */
import type { Code } from "../../../src/core/codes/code.ts";
import type { TextFacts } from "../../../src/core/rules/rows/source-rules.ts";

/** Name of the module that re-exports the entrypoint: not an author's file. */
export const ENTRY = "slipway:entry";

/** Most diagnostics of one script. */
export const MOST_DIAGNOSTICS = 200;

/** Most exports told of one text, and most calls of each kind. */
export const MOST_EXPORTS = 5_000;
export const MOST_PLACES = 1_000;

/** Most bytes of a bundle's source map, the texts of its sources left out. */
export const MAP_BYTES = 4 * 1024 * 1024;

/** A module of a script: a file of the catalog, or code that stands in the dictionary. */
export interface ModuleName {
  readonly namespace: "catalog" | "inline";
  /** Relative to the catalog's root, or the label of inline code. */
  readonly path: string;
}

/** A request to the process; the frame's body is a script's text. */
export type BundlerRequest =
  /** Bundle the script that begins with the text. */
  | { readonly t: "bundle"; readonly entrypoint: string; readonly entry: ModuleName }
  /** Tell what the text says about itself. */
  | { readonly t: "read" };

/** To the process. */
export type BundlerOrder =
  | BundlerRequest
  /**
   * The answer to an `ask`: a file of the catalog (the frame's body is its text, the first time), or why there is none.
   */
  | { readonly t: "file"; readonly id: number; readonly path: string; readonly isNew: boolean }
  | { readonly t: "refused"; readonly id: number; readonly code: BundlerCode; readonly message: string };

/** From the process. */
export type BundlerMessage =
  /** Before the first order. */
  | { readonly t: "ready" }
  /** Which file does `specifier` name, seen from a file of the catalog (empty: from inline code)? */
  | { readonly t: "ask"; readonly id: number; readonly specifier: string; readonly from: string }
  | BundlerAnswer;

export type BundlerAnswer =
  /** Of one to read. */
  | { readonly t: "facts"; readonly facts: TextFacts }
  /** The frame's body is the bundle's code, then the mappings of its source map. */
  | {
      readonly t: "built";
      readonly codeBytes: number;
      /** Modules in the bundle, and those its source map names, each with its namespace. */
      readonly inputs: readonly string[];
      readonly sources: readonly string[];
      readonly names: readonly string[];
    }
  /** The entrypoint is not exported; these are. */
  | { readonly t: "missing"; readonly exports: readonly string[] }
  | { readonly t: "faulty"; readonly diagnostics: readonly BundlerDiagnostic[] };

/** Codes of what can be wrong with a script. */
export type BundlerCode = Extract<
  Code,
  | "SANDBOX_SYNTAX"
  | "SANDBOX_IMPORT_FORBIDDEN"
  | "SANDBOX_IMPORT_NOT_LITERAL"
  | "SANDBOX_FILE_MISSING"
  | "SANDBOX_FILE_OUTSIDE"
  | "SANDBOX_SCRIPT_TOO_LARGE"
  | "SANDBOX_NOT_BUNDLED"
>;

/** One thing wrong with a script, where esbuild sees it. */
export interface BundlerDiagnostic {
  readonly code: BundlerCode;
  readonly message: string;
  /** With its namespace; null where it has no place. */
  readonly module: string | null;
  /** From 1. */
  readonly line: number;
  /** In bytes, from 0. */
  readonly column: number;
  /** In bytes. */
  readonly length: number;
}
