import type { Attack } from "./attack.ts";

/** Computing without end, in one turn and in continuations. */
export const CPU_ATTACKS: readonly Attack[] = [
  row("an empty loop", "for (;;);"),
  row("a loop on the clock", "const until = Date.now() + 1e9; while (Date.now() < until);"),
  row("recursion that doubles at every return", "const f = () => { try { f() } finally { f() } }; f();"),
  row("a backtracking regular expression", "/(a+)+$/.test('a'.repeat(60) + '!');"),
  row("a backtracking look-ahead", "'a'.repeat(60).replace(/(?=(a+)+b)/g, '');"),
  row("a power of a BigInt", "let x = 3n; for (;;) x = x ** 99n;"),
  row("a BigInt product", "let x = 2n ** 4000000n - 1n; for (;;) x = (x * x) % (2n ** 4000000n);"),
  row("a BigInt as text", "const x = 3n ** 4000000n; for (;;) x.toString();"),
  row("a comparator that never returns", "[3, 1, 2].sort(() => { for (;;); });"),
  row("a search through a sparse array", "const a = []; a.length = 2 ** 32 - 1; for (;;) a.includes(1);"),
  row("a toJSON that never returns", "JSON.stringify({ toJSON() { for (;;); } });"),
  row("a getter under spread", "({ ...{ get a() { for (;;); } } });"),
  row("a proxy's ownKeys", "Object.keys(new Proxy({}, { ownKeys() { for (;;); } }));"),
  row("an endless generator", "function* g() { for (;;) yield 1; } for (const _ of g());"),
  row("a function made of text", "new Function('for (;;);')();"),
  row("an indirect eval", "(0, eval)('for (;;);');"),
  row("a reviver that never returns", "JSON.parse('[1]', () => { for (;;); });"),
  row("Symbol.toPrimitive", "String({ [Symbol.toPrimitive]() { for (;;); } });"),
  row("structuredClone of a getter", "structuredClone({ get a() { for (;;); } });"),
  row("URL parsing in the child", "for (;;) new URL('http://a/' + Math.random());"),
  row("formatters of Intl", "for (;;) new Intl.DateTimeFormat('en').format(0);", "memory"),
  row("normalization of long text", "const s = '\\u1e9b\\u0323'.repeat(100000); for (;;) s.normalize('NFKD');"),
  row(
    "text decoding in the child",
    "const b = new Uint8Array(100000); for (;;) new TextDecoder('shift_jis').decode(b);",
  ),
  row("hashing in the child", "const b = new Uint8Array(1e6); for (;;) await crypto.subtle.digest('SHA-256', b);"),
  row(
    "a URL pattern that backtracks",
    "new URLPattern({ pathname: '/((?:a+)+)b' }).test('http://x/' + 'a'.repeat(60));",
  ),
  row(
    "a setter of the iterator protocol",
    "for (const _ of { [Symbol.iterator]: () => ({ next: () => { for (;;); } }) });",
  ),
  row("a tagged destructuring default", "const { a = (() => { for (;;); })() } = {};"),
  row("string search without end", "const s = 'a'.repeat(1 << 20); for (;;) s.indexOf('a'.repeat(1 << 19) + 'b');"),
  // continuations: after the first turn
  row("a loop after a timer", "await new Promise((r) => setTimeout(r, 5)); for (;;);"),
  row("a loop in a timer's callback", "setTimeout(() => { for (;;); }, 5); await new Promise(() => {});"),
  row("a chain of promises", "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {});", "memory"),
  row("queueMicrotask that queues itself", "const f = () => queueMicrotask(f); f(); await new Promise(() => {});"),
  row("awaiting nothing for ever", "for (;;) await null;"),
  row("a thenable that never returns", "await { then() { for (;;); } };"),
  row("a loop after a request", "await fetch(ctx.baseUrl + '/ok'); for (;;);"),
  row("a loop in finally", "try { await fetch('http://127.0.0.2/'); } finally { for (;;); }"),
  row("a loop in a rejection handler", "await Promise.reject(1).catch(() => { for (;;); });"),
  row("an endless async generator", "async function* g() { for (;;) yield 1; } for await (const _ of g());"),
  row("an abort listener", "const c = new AbortController(); c.signal.onabort = () => { for (;;); }; c.abort();"),
  row("asynchronous disposal", "{ await using _ = { async [Symbol.asyncDispose]() { for (;;); } }; }"),
  row(
    "a stream that pulls without end",
    "const s = new ReadableStream({ pull(c) { c.enqueue('x'); } }); for await (const _ of s);",
  ),
  row(
    "many short slices",
    "const spin = () => { let n = 0; while (n < 2e7) n++; }; for (;;) { spin(); await new Promise((r) => setTimeout(r, 0)); }",
  ),
];

function row(name: string, body: string, ...also: "memory"[]): Attack {
  return { class: "cpu", name, body, ends: ["timeout_cpu", ...also] };
}
