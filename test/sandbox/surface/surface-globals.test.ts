/** What else a script finds: globals, modules, console; and what it does not find. */
import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { type Row, testRows } from "../table.ts";
import { createWorkbench, resultOf } from "../workbench.ts";

const bench = createWorkbench();
afterAll(() => bench[Symbol.asyncDispose]());

describe("not there", () => {
  const ROWS: readonly Row[] = [
    ...[
      "WeakRef",
      "FinalizationRegistry",
      "SharedArrayBuffer",
      "Atomics",
      "WebAssembly",
      "require",
      "Bun",
      "Deno",
      "XMLHttpRequest",
      "MessageChannel",
    ].map(
      (name): Row => [name, `return [(0, eval)('typeof ${name}'), '${name}' in globalThis];`, ["undefined", false]],
    ),
    ["an environment", "return process.env;", {}],
    [
      "an isolated-vm object",
      "return Object.getOwnPropertyNames(globalThis).filter((name) => /ivm|isolate|callOut|askParent|__guest/i.test(name));",
      [],
    ],
    [
      "the real Date constructor",
      "return [new Date().constructor === Date, Object.getPrototypeOf(new Date()).constructor === Date, Date.name, Date.length, new Date(0) instanceof Date];",
      [true, true, "Date", 7, true],
    ],
    [
      "a way to isolated-vm through options set on Object.prototype",
      `const told = [];
      for (const [name, value] of [["result", { reference: true }], ["externalCopy", true], ["reference", true], ["timeout", -1], ["receiver", 1]]) {
        Object.prototype[name] = value;
        try {
          told.push(typeof crypto.randomUUID());
        } catch (error) {
          told.push(error.message);
        } finally {
          delete Object.prototype[name];
        }
      }
      return told;`,
      ["string", "string", "string", "string", "string"],
    ],
    [
      "a way to the guest through the frames of its errors",
      `const seen = [];
      const before = Error.prepareStackTrace;
      Error.prepareStackTrace = (_, frames) => {
        for (const frame of frames) seen.push(frame.getThis(), frame.getFunction());
        return "";
      };
      const calls = [() => new URL("x"), () => ctx.sleep("x"), () => ctx.waitForApp("/"), () => fetch("http://127.0.0.1:1/"), () => Buffer.from(5), () => new Blob(5)];
      for (const call of calls) {
        try {
          await call();
        } catch (error) {
          void error.stack;
        }
      }
      Error.prepareStackTrace = before;
      return [seen.length > 20, seen.filter((each) => each !== undefined).length];`,
      [true, 0],
    ],
    [
      "a way to the guest through a callback's caller",
      "let caller; function f() { caller = f.caller; } try { [1].forEach(f); } catch (e) { return e.name; } return caller;",
      "TypeError",
    ],
  ];
  testRows(bench, ROWS);
});

describe("globals", () => {
  const ROWS: readonly Row[] = [
    [
      "timers run in the order of their time",
      "const out = []; setTimeout(() => out.push(2), 20); setTimeout(() => out.push(1), 1); queueMicrotask(() => out.push(0)); await ctx.sleep(40); return out;",
      [0, 1, 2],
    ],
    [
      "a cleared timer does not run",
      "let ran = false; clearTimeout(setTimeout(() => { ran = true; }, 1)); await ctx.sleep(10); return ran;",
      false,
    ],
    [
      "an interval runs until it is cleared, also by itself",
      "let n = 0; await new Promise((resolve) => { const h = setInterval(() => { n += 1; if (n === 3) { clearInterval(h); resolve(); } }, 1); }); await ctx.sleep(10); return n;",
      3,
    ],
    [
      "a timer passes its arguments",
      "return new Promise((resolve) => setTimeout((a, b) => resolve([a, b]), 1, 'x', 2));",
      ["x", 2],
    ],
    ["a text is no handler", "setTimeout('1', 1);", "throws TypeError"],
    [
      "AbortSignal.timeout aborts with TimeoutError",
      "const s = AbortSignal.timeout(1); await ctx.sleep(10); return [s.aborted, s.reason.name];",
      [true, "TimeoutError"],
    ],
    [
      "an error event can be handled",
      "let seen; addEventListener('error', (e) => { seen = e.error.message; e.preventDefault(); }); reportError(new Error('x')); return seen;",
      "x",
    ],
    [
      "structuredClone keeps cycles, dates, maps",
      "const a = { d: new Date(5), m: new Map([[1, new Set([2])]]) }; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b, b.d.getTime(), b.m.get(1).has(2)];",
      [true, true, 5, true],
    ],
    ["structuredClone refuses functions", "structuredClone({ f() {} });", "throws DataCloneError"],
    [
      "structuredClone moves buffers",
      "const b = new ArrayBuffer(4); const c = structuredClone({ v: new Uint8Array(b) }, { transfer: [b] }); return [b.byteLength, c.v.length];",
      [0, 4],
    ],
    [
      "URL and URLSearchParams follow each other",
      "const u = new URL('../b?x=1', 'http://h/a/c'); u.searchParams.append('y', 'ü'); return [u.href, u.origin, URL.canParse('x'), URL.parse('x')];",
      ["http://h/b?x=1&y=%C3%BC", "http://h", false, null],
    ],
    [
      "an invalid URL says which",
      "try { new URL('nope'); } catch (e) { return [e.name, e.code, e.input]; }",
      ["TypeError", "ERR_INVALID_URL", "nope"],
    ],
    [
      "URLPattern matches",
      "const p = new URLPattern({ pathname: '/books/:id' }); return [p.test('http://a/books/3'), p.exec('http://a/books/3').pathname.groups.id, p.exec('http://a/x'), p.pathname];",
      [true, "3", null, "/books/:id"],
    ],
    ["URLPattern refuses a faulty pattern", "new URLPattern({ pathname: '(' });", "throws TypeError"],
    [
      "a legacy encoding is decoded, whole and in pieces",
      "const d = new TextDecoder('shift_jis'); const b = new Uint8Array([0x93, 0xfa, 0x96]); return [new TextDecoder('windows-1252').decode(new Uint8Array([0x80])), d.decode(b, { stream: true }) + d.decode(new Uint8Array([0x7b]))];",
      ["€", "日本"],
    ],
    ["an unknown encoding is a RangeError", "new TextDecoder('klingon');", "throws RangeError"],
    [
      "text streams keep characters whole",
      "const out = []; const s = new ReadableStream({ start(c) { c.enqueue(new Uint8Array([0xe2, 0x82])); c.enqueue(new Uint8Array([0xac])); c.close(); } }); for await (const t of s.pipeThrough(new TextDecoderStream())) out.push(t); return out;",
      ["€"],
    ],
    [
      "digest knows four algorithms",
      "return Promise.all(['SHA-1', 'SHA-256', 'SHA-384', { name: 'sha-512' }].map(async (a) => (await crypto.subtle.digest(a, new Uint8Array(1))).byteLength));",
      [20, 32, 48, 64],
    ],
    [
      "digest of another algorithm is NotSupportedError",
      "await crypto.subtle.digest('MD5', new Uint8Array(1));",
      "throws NotSupportedError",
    ],
    [
      "random bytes fill what is given",
      "const a = crypto.getRandomValues(new Uint8Array(64)); return [a.length, a.some((b) => b !== 0)];",
      [64, true],
    ],
    [
      "more random bytes than the quota are refused",
      "crypto.getRandomValues(new Uint8Array(65537));",
      "throws QuotaExceededError",
    ],
    [
      "Intl formats the turn's time",
      "const f = new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'long' }); return [f.format() === f.format(Date.now()), f.resolvedOptions().timeZone];",
      [true, "UTC"],
    ],
    ["navigator names the engine", "return navigator.userAgent;", "Slipway"],
    [
      "language of today",
      "using x = { [Symbol.dispose]() {} }; await using y = { async [Symbol.asyncDispose]() {} }; return [Object.groupBy([1, 2], (n) => n % 2), [3, 1].toSorted(), 2n ** 64n > 1n];",
      [{ 0: [2], 1: [1] }, [1, 3], true],
    ],
  ];
  testRows(bench, ROWS);
});

describe("modules", () => {
  const sha1 = createHash("sha1").update("äb").digest("hex");
  const ROWS: readonly Row[] = [
    [
      "Buffer reads and writes every encoding",
      "const { Buffer } = await import('node:buffer'); const b = Buffer.from('ü~?>'); return ['utf8', 'hex', 'base64', 'base64url', 'latin1'].map((e) => [b.toString(e), Buffer.from(b.toString(e), e).equals(b)]);",
      ["ü~?>", "c3bc7e3f3e", "w7x+Pz4=", "w7x-Pz4", "Ã¼~?>"].map((text) => [text, true]),
    ],
    [
      "Buffer reads numbers",
      "const b = Buffer.alloc(16); b.writeUInt32BE(0xdeadbeef, 0); b.writeDoubleLE(1.5, 8); return [b.readUInt16LE(0), b.readDoubleLE(8), Buffer.concat([b, b]).length, Buffer.byteLength('ü')];",
      [0xadde, 1.5, 32, 2],
    ],
    [
      "createHash takes pieces",
      "const { createHash } = await import('node:crypto'); return createHash('SHA1').update('ä').update(new Uint8Array([98])).digest('hex');",
      sha1,
    ],
    [
      "createHash of an unknown algorithm names those allowed",
      "const { createHash } = await import('node:crypto'); try { createHash('md4'); } catch (e) { return e.message; }",
      'Digest method "md4" is not supported; allowed are md5, sha1, sha256, sha384, sha512',
    ],
    [
      "a hash is read once",
      "const { createHash } = await import('node:crypto'); const h = createHash('md5'); h.digest(); h.digest();",
      "throws Error",
    ],
    [
      "randomBytes and randomUUID",
      "const { randomBytes, randomUUID } = await import('node:crypto'); return [randomBytes(8).length, randomBytes(0).length, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(randomUUID())];",
      [8, 0, true],
    ],
    [
      "default imports work too",
      "const [fs, path, { default: Database }] = await Promise.all([import('node:fs'), import('node:path'), import('bun:sqlite')]); return [typeof fs.default.readFileSync, path.default.join('a', '..', 'b'), typeof Database];",
      ["function", "b", "function"],
    ],
    [
      "files outside the mounts are refused with Node's error",
      "const { readFileSync, existsSync, statSync } = await import('node:fs'); try { readFileSync('/etc/hostname', 'utf8'); } catch (e) { return [typeof e.code, existsSync('/etc/hostname'), e instanceof Error]; }",
      ["string", false, true],
    ],
    [
      "writing does not exist",
      "const fs = await import('node:fs'); return [fs.writeFileSync, fs.createReadStream].map((f) => typeof f);",
      ["undefined", "undefined"],
    ],
  ];
  testRows(bench, ROWS);
});

test("console writes one line per call, with formats, depth and groups", async () => {
  const code = `export function run(ctx) {
    console.log("%s has %d of %i%%, %o", "anna", "3", 4.9, { a: { b: { c: { d: { e: 1 } } } } }, "rest");
    console.error(new TypeError("bad", { cause: new Error("why") }));
    console.group("in"); console.warn([undefined, null, Symbol("s"), () => 1, new Map([[1, "x"]])]); console.groupEnd();
    console.assert(true, "not this"); console.assert(false, "this"); console.count(); console.count();
    const cyclic = { get boom() { throw 1; } }; cyclic.self = cyclic; ctx.log(cyclic, new Uint8Array(3), new Date(0));
    ctx.log("x".repeat(5000)); ctx.log("a\\ud800b");
  }`;
  const ran = await bench.run({ code });
  resultOf(ran);
  expect(ran.log.slice(0, 8)).toEqual([
    "anna has 3 of 4%, { a: { b: { c: { d: [Object] } } } } rest",
    "TypeError: bad [cause: Error: why]",
    "in",
    '  [undefined, null, Symbol(s), [Function (anonymous)], Map { 1 => "x" }]',
    "Assertion failed this",
    "default: 1",
    "default: 2",
    "{ boom: [Getter], self: [Circular] } Uint8Array [0, 0, 0] 1970-01-01T00:00:00.000Z",
  ]);
  expect(ran.log[8]?.length).toBeLessThanOrEqual(4096);
  expect(ran.log[8]).toMatch(/^x+…$/);
  expect(ran.log[9]).toBe("a\ufffdb");
});

test("a script that replaces every primordial it can still logs, fetches and ends", async () => {
  const code = `export async function run(ctx) {
    for (const holder of [Array.prototype, String.prototype, Map.prototype, Promise.prototype, Function.prototype]) {
      for (const key of Object.getOwnPropertyNames(holder)) {
        if (key === "constructor") continue;
        try { holder[key] = () => { throw new Error("tampered " + key); }; } catch {}
      }
    }
    JSON.parse = JSON.stringify = Reflect.apply = () => { throw new Error("tampered"); };
    await ctx.sleep(1);
    await ctx.setProgress(7);
    return { done: true };
  }`;
  const ran = await bench.run({ code });
  expect(resultOf(ran)).toEqual({ done: true });
  expect(ran.calls).toEqual([{ kind: "setProgress", percent: 7 }]);
});
