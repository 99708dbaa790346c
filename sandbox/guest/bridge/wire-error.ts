import type { WireError } from "../../protocol/ops.ts";
import { DOMException, isDomExceptionName, readFrames } from "../web/events/dom-exception.ts";
import { defineProperty, getOwn, RealError } from "./primordials.ts";

/** Name of the errors the SQLite module throws, as Bun's. */
export class SQLiteError extends RealError {
  override readonly name = "SQLiteError";
}

const CLASSES: { readonly [name: string]: new (message: string) => Error } = {
  __proto__: null as never,
  Error: RealError,
  TypeError,
  RangeError,
  SyntaxError,
  SQLiteError,
};

/** Answers the Error to throw for an error of the other side; with `trace`, the frames of the call that it answers. */
export function toError(wire: WireError, trace?: Error): Error {
  const error = isDomExceptionName(wire.name)
    ? new DOMException(wire.message, wire.name)
    : new (CLASSES[wire.name] ?? RealError)(wire.message);
  copyMember(wire, error, "code");
  copyMember(wire, error, "syscall");
  copyMember(wire, error, "path");
  if (getOwn(wire, "refused")) {
    const value = { code: "policy_denied" };
    defineProperty(error, "cause", { value, enumerable: false, configurable: true, writable: true });
  }
  if (trace !== undefined) {
    const value = `${error.name}: ${error.message}\n${readFrames(trace)}`;
    defineProperty(error, "stack", { value, configurable: true, writable: true });
  }
  return error;
}

function copyMember(wire: WireError, error: Error, key: "code" | "syscall" | "path"): void {
  const value = getOwn(wire, key);
  if (value !== undefined) defineProperty(error, key, { value, enumerable: true, configurable: true, writable: true });
}
