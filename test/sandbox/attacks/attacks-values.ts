import type { Attack } from "./attack.ts";

/** Values that do something when they are looked at: thrown, rejected, returned, logged. */
export const VALUE_ATTACKS: readonly Attack[] = [
  row("throws a proxy that never answers", "throw new Proxy({}, { get() { for (;;); } });", "timeout_cpu"),
  row(
    "rejects a floating promise with such a proxy",
    "Promise.reject(new Proxy({}, { get() { for (;;); } })); await new Promise(() => {});",
    "timeout_cpu",
  ),
  row(
    "throws an error whose message never comes",
    "throw Object.defineProperty(new Error(), 'message', { get() { for (;;); } });",
    "timeout_cpu",
  ),
  row(
    "throws an error whose stack never comes",
    "throw Object.defineProperty(new Error('x'), 'stack', { get() { for (;;); } });",
    "timeout_cpu",
  ),
  row(
    "throws an error whose cause never comes",
    "throw Object.defineProperty(new Error('x'), 'cause', { get() { for (;;); } });",
    "timeout_cpu",
  ),
  row(
    "throws an object whose text never comes",
    "throw { toString() { for (;;); }, [Symbol.toPrimitive]() { for (;;); } };",
    "script_error",
    "timeout_cpu",
  ),
  row(
    "prepares its stack trace for ever",
    "Error.prepareStackTrace = () => { for (;;); }; throw new Error('x');",
    "timeout_cpu",
    "script_error",
  ),
  row("returns an object whose toJSON never returns", "return { toJSON() { for (;;); } };", "timeout_cpu"),
  row("returns a proxy whose keys never come", "return new Proxy({}, { ownKeys() { for (;;); } });", "timeout_cpu"),
  row("returns a getter that throws", "return { get a() { throw new Error('x'); } };", "script_error"),
  row("returns a circle", "const a = {}; a.a = a; return a;", "script_error"),
  row("returns a BigInt", "return 1n;", "script_error"),
  row("returns too much", "return 'x'.repeat(600 * 1024);", "quota_result"),
  row(
    "returns what is nested too deeply",
    "let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return a;",
    "script_error",
    "memory",
    "timeout_cpu",
  ),
  row(
    "returns a nest the parent could choke on",
    "let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a;",
    "quota_result",
    "completed",
  ),
  row(
    "returns __proto__ as a key",
    'return JSON.parse(\'{"__proto__": {"status": "completed"}, "a": 1}\');',
    "completed",
  ),
  row("throws null", "throw null;", "script_error"),
  row("throws undefined", "throw undefined;", "script_error"),
  row("throws a symbol", "throw Symbol('x');", "script_error"),
  row(
    "throws a revoked proxy",
    "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;",
    "script_error",
  ),
  row("throws a megabyte", "throw new Error('x'.repeat(1 << 20));", "script_error"),
  row("throws an endless chain of causes", "const e = new Error('x'); e.cause = e; throw e;", "script_error"),
  row(
    "logs a proxy that never answers",
    "ctx.log(new Proxy({}, { get() { for (;;); }, ownKeys() { for (;;); } }));",
    "timeout_cpu",
    "completed",
  ),
  row("logs a circle", "const a = {}; a.a = a; ctx.log(a);", "completed"),
  row("logs a nest", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; ctx.log(a);", "completed", "script_error"),
  row(
    "fails with a context that never comes",
    "ctx.fail('x', { get length() { for (;;); } });",
    "timeout_cpu",
    "script_error",
  ),
  row(
    "forges a timeout in a floating rejection",
    "Promise.reject(new Error('Script execution timed out.')); await null; return 1;",
    "completed",
    "timeout_cpu",
  ),
];

function row(name: string, body: string, ...ends: Attack["ends"][number][]): Attack {
  return { class: "value", name, body, ends, ...(name.startsWith("fails") && { kind: "hook" }) };
}
