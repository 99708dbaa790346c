/** Values as text for logs: bounded in depth and length, never throwing, getters not called. */
import { TEXT_LIMITS } from "../../protocol/ops.ts";

const MAX_DEPTH = 4;
const MAX_ITEMS = 100;
/** Not less than is let through of a log line: a cut within it would fall into its middle, and into a secret there. */
const MAX_STRING = TEXT_LIMITS.logLine.sent;

/** `Name: message` of an error, and of its causes. */
export function describeError(error: Error): string {
  const text = `${readOwn(error, "name", "Error")}: ${readOwn(error, "message", "")}`;
  const cause = readData(error, "cause");
  return cause instanceof Error ? `${text} [cause: ${describeError(cause)}]` : text;
}

function readOwn(error: Error, key: "name" | "message", otherwise: string): string {
  try {
    const value = error[key];
    return typeof value === "string" ? value : otherwise;
  } catch {
    return otherwise;
  }
}

function readData(value: object, key: string): unknown {
  try {
    return Reflect.getOwnPropertyDescriptor(value, key)?.value;
  } catch {
    return undefined;
  }
}

/** Any value on one line, in the manner of Node's `util.inspect`. */
export function inspect(value: unknown): string {
  try {
    return show(value, 0, []);
  } catch {
    return "[unreadable]";
  }
}

function show(value: unknown, depth: number, path: readonly object[]): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > MAX_STRING ? value.slice(0, MAX_STRING) : value);
    case "bigint":
      return `${value}n`;
    case "function":
      return `[Function ${value.name === "" ? "(anonymous)" : value.name}]`;
    case "object":
      return value === null ? "null" : showObject(value, depth, path);
    default:
      return String(value);
  }
}

function showObject(value: object, depth: number, path: readonly object[]): string {
  if (path.includes(value)) return "[Circular]";
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "Promise {}";
  const name = findConstructorName(value);
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? "[Array]" : `[${name || "Object"}]`;
  const inner = [...path, value];
  const showNested = (item: unknown) => show(item, depth + 1, inner);
  if (Array.isArray(value)) return list("[", value.map(showNested), value.length, "]");
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return `${name} ${list(
      "[",
      Array.from(value as Uint8Array)
        .slice(0, MAX_ITEMS)
        .map(showNested),
      (value as Uint8Array).length,
      "]",
    )}`;
  }
  if (value instanceof Map) {
    return `Map ${list(
      "{",
      [...value].map(([key, item]) => `${showNested(key)} => ${showNested(item)}`),
      value.size,
      "}",
    )}`;
  }
  if (value instanceof Set) return `Set ${list("{", [...value].map(showNested), value.size, "}")}`;
  const keys = Object.keys(value);
  const members = keys.slice(0, MAX_ITEMS).map((key) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    const label = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? key : JSON.stringify(key);
    return `${label}: ${descriptor && "value" in descriptor ? showNested(descriptor.value) : "[Getter]"}`;
  });
  const text = list("{", members, keys.length, "}");
  return name === "" || name === "Object" ? text : `${name} ${text}`;
}

function list(open: string, items: readonly string[], count: number, close: string): string {
  if (count === 0) return open + close;
  const shown = items.slice(0, MAX_ITEMS);
  if (count > shown.length) shown.push(`... ${count - shown.length} more`);
  const pad = open === "{" ? " " : "";
  return `${open}${pad}${shown.join(", ")}${pad}${close}`;
}

function findConstructorName(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return "";
  const maker = readData(prototype, "constructor");
  return typeof maker === "function" ? maker.name : "";
}
