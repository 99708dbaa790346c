import type { Fault } from "../../protocol/ops.ts";
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

/** The Error a fault of the other side is thrown as; with `trace`, the frames of the call that it answers. */
export function toError(fault: Fault, trace?: Error): Error {
  const error = isDomExceptionName(fault.name)
    ? new DOMException(fault.message, fault.name)
    : new (CLASSES[fault.name] ?? RealError)(fault.message);
  copyMember(fault, error, "code");
  copyMember(fault, error, "syscall");
  copyMember(fault, error, "path");
  if (getOwn(fault, "refused")) {
    const value = { code: "policy_denied" };
    defineProperty(error, "cause", { value, enumerable: false, configurable: true, writable: true });
  }
  if (trace !== undefined) {
    const value = `${error.name}: ${error.message}\n${readFrames(trace)}`;
    defineProperty(error, "stack", { value, configurable: true, writable: true });
  }
  return error;
}

function copyMember(fault: Fault, error: Error, key: "code" | "syscall" | "path"): void {
  const value = getOwn(fault, key);
  if (value !== undefined) defineProperty(error, key, { value, enumerable: true, configurable: true, writable: true });
}
