/** Messages between the engine and the process that checks a catalog's files: headers of frames (frames.ts). */
import type { TextFacts } from "../../../core/rules/rows/source-rules.ts";
import type { CheckRequest } from "./check-file.ts";

const MB = 1024 * 1024;

/** Bytes, in both directions: an answer may be several times as long as its file. */
export const CHECK_FRAME_LIMITS = { header: 4 * MB, frame: 64 * MB } as const;

type WithoutText<Request> = Request extends CheckRequest ? Omit<Request, "text"> : never;

/** To the process. */
export type CheckOrder =
  /** Check a file; the frame's body is its text. */
  | { readonly t: "check"; readonly request: WithoutText<CheckRequest> }
  /** Of the TypeScript it has asked about. */
  | { readonly t: "facts"; readonly facts: TextFacts };

/** From the process. */
export type CheckMessage =
  /** Before the first order. */
  | { readonly t: "ready" }
  /** It needs the facts of TypeScript; the frame's body is the text. */
  | { readonly t: "source" }
  /** The frame's body is the answer to the file at hand (`checkFile`). */
  | { readonly t: "answer" }
  /** The file at hand can't be checked. */
  | { readonly t: "failed"; readonly message: string };
