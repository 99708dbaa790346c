import type { Attack } from "./attack.ts";

/** Taking memory, inside the isolate's heap and beside it. What can't be had may also be an error of the script. */
export const MEMORY_ATTACKS: readonly Attack[] = [
  row("arrays in an array", "const a = []; for (;;) a.push(new Array(10000).fill(1.5));"),
  row(
    "a text that doubles",
    "let s = 'x'; const a = []; for (;;) { s = (s + s).slice(0, 1 << 24); a.push(s.split('').join('y')); }",
  ),
  row("buffers", "const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1));"),
  row(
    "resizable buffers",
    "const a = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 1e8 }); b.resize(1e8); new Uint8Array(b).fill(1); a.push(b); }",
  ),
  row("one huge fill", "new Array(5e8).fill(1);"),
  row("a map", "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });"),
  row("a set of texts", "const s = new Set(); for (let i = 0; ; i++) s.add('key ' + i);"),
  row("closures", "const a = []; for (;;) { const x = new Array(100); a.push(() => x); }"),
  row(
    "a BigInt of a gigabit",
    "let x = 1n; const a = []; for (;;) { x = 1n << 100000000n; a.push(x); }",
    "timeout_cpu",
  ),
  row("objects of Intl", "const a = []; for (;;) a.push(new Intl.NumberFormat('de'));", "timeout_cpu"),
  row("promises never settled", "const a = []; for (;;) a.push(new Promise(() => {}).then(() => {}));"),
  row("one array of 4 GB", "new Uint8Array(4e9).fill(1);"),
  row("keys of an object", "const o = {}; for (let i = 0; ; i++) o['k' + i] = i;", "timeout_cpu"),
  row(
    "regular expressions",
    "const a = []; for (let i = 0; ; i++) { const r = new RegExp('a' + i + '+'.repeat(1)); r.test('b'); a.push(r); }",
    "timeout_cpu",
  ),
  row("parsed JSON", "const a = []; const t = '[' + '1,'.repeat(1e5) + '1]'; for (;;) a.push(JSON.parse(t));"),
  row("symbols", "const a = []; for (let i = 0; ; i++) a.push(Symbol('s' + i));"),
  row(
    "encoded text",
    "const a = []; const e = new TextEncoder(); const s = 'x'.repeat(1e6); for (;;) a.push(e.encode(s));",
    "timeout_cpu",
  ),
  row(
    "a blob of blobs",
    "const a = []; for (;;) a.push(new Blob(['x'.repeat(1e6), new Uint8Array(1e6)]));",
    "timeout_cpu",
  ),
  row(
    "clones",
    "const o = new Array(1e5).fill('x'); const a = []; for (;;) a.push(structuredClone(o));",
    "timeout_cpu",
  ),
  row("errors with stacks", "const a = []; for (;;) a.push(new Error('x'.repeat(1000)));"),
  row("generators", "const a = []; function* g() { yield 1; } for (;;) { const i = g(); i.next(); a.push(i); }"),
  row(
    "a stream nobody reads",
    "new ReadableStream({ start(c) { for (;;) c.enqueue(new Uint8Array(1e6).fill(1)); } });",
  ),
  row(
    "text decoders kept in the child",
    "const a = []; for (;;) { const d = new TextDecoder('shift_jis'); d.decode(new Uint8Array([0x81]), { stream: true }); a.push(d); }",
    "timeout_cpu",
  ),
  row(
    "a turn that allocates after a timer",
    "await new Promise((r) => setTimeout(r, 5)); const a = []; for (;;) a.push(new Array(10000).fill({}));",
  ),
  row(
    "transferred buffers",
    "const a = []; for (;;) { const b = new ArrayBuffer(1e6); new Uint8Array(b).fill(1); a.push(b.transfer(2e6)); }",
  ),
  row("array joins", "const a = new Array(1e6).fill('xxxxxxxxxx'); const b = []; for (;;) b.push(a.join(''));"),
];

function row(name: string, body: string, also?: "timeout_cpu"): Attack {
  const ends = ["memory", "script_error", ...(also === undefined ? [] : [also])] as const;
  // the longer slice of a hook, so that a slow machine does not end by time what ends by memory
  return { class: "memory", name, body, ends, ...(also === undefined && { kind: "hook" }) };
}
