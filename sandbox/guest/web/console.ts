/** `console` (every method a script may call) and `ctx.log`: one `log` operation per line. */
import { TEXT_LIMITS } from "../../protocol/ops.ts";
import { readNow, send } from "../bridge/bridge.ts";
import { charCodeAt, sliceText, wellFormed } from "../bridge/primordials.ts";
import { inspect } from "./inspect.ts";

/** Sends one line, as much of it as is let through. */
export function log(line: string): void {
  send({ op: "log", line: wellFormed(sliceText(line, 0, TEXT_LIMITS.logLine.sent)) });
}

/** Bytes of a text in UTF-8. */
export function countUtf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = charCodeAt(text, i);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

/** Arguments of a log call as one text, with the `%s` and its like of a first string (console standard, "Formatter"). */
export function formatLine(args: readonly unknown[]): string {
  let rest = args;
  let text = "";
  if (typeof args[0] === "string" && args.length > 1) {
    let next = 1;
    text = args[0].replace(/%[sdifjoOc%]/g, (mark) => {
      if (mark === "%%") return "%";
      if (next >= args.length) return mark;
      const value = args[next];
      next += 1;
      if (mark === "%c") return "";
      if (mark === "%s") return typeof value === "string" ? value : inspect(value);
      if (mark === "%d") return typeof value === "symbol" ? "NaN" : String(Number(value));
      if (mark === "%i") return String(Number.parseInt(String(value), 10));
      if (mark === "%f") return String(Number.parseFloat(String(value)));
      return inspect(value);
    });
    rest = args.slice(next);
    if (rest.length > 0) text += " ";
  }
  return text + rest.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ");
}

const counts = new Map<string, number>();
const starts = new Map<string, number>();
let indent = "";

function write(...args: unknown[]): void {
  log(indent + formatLine(args));
}

function describeElapsed(label: unknown): string {
  const key = String(label);
  const start = starts.get(key);
  return start === undefined ? `${key}: no such timer` : `${key}: ${readNow() - start} ms`;
}

/** The console namespace object. */
export const console = {
  log: write,
  info: write,
  debug: write,
  warn: write,
  error: write,
  trace: write,
  dir: (value: unknown) => write(value),
  dirxml: write,
  table: (value: unknown) => write(value),
  assert: (condition: unknown, ...args: unknown[]) => {
    if (!condition) write("Assertion failed", ...args);
  },
  group: (...args: unknown[]) => {
    if (args.length > 0) write(...args);
    indent += "  ";
  },
  groupCollapsed: (...args: unknown[]) => console.group(...args),
  groupEnd: () => {
    indent = indent.slice(2);
  },
  count: (label: unknown = "default") => {
    const key = String(label);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    write(`${key}: ${count}`);
  },
  countReset: (label: unknown = "default") => {
    counts.delete(String(label));
  },
  time: (label: unknown = "default") => {
    starts.set(String(label), readNow());
  },
  timeLog: (label: unknown = "default", ...args: unknown[]) => write(describeElapsed(label), ...args),
  timeEnd: (label: unknown = "default") => {
    write(describeElapsed(label));
    starts.delete(String(label));
  },
  clear: () => {},
};
Object.defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });
