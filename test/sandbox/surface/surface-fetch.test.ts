/** Headers, Request, Response, FormData, bodies: the Fetch standard, row by row. */
import { afterAll, describe } from "vitest";
import { type Row, testRows } from "../table.ts";
import { createWorkbench } from "../workbench.ts";

const bench = createWorkbench();
afterAll(() => bench[Symbol.asyncDispose]());

const HEADERS: readonly Row[] = [
  ["values are combined with a comma", "const h = new Headers([['A', '1'], ['a', '2']]); return h.get('A');", "1, 2"],
  [
    "names are compared in any case and listed in lower case",
    "return [...new Headers({ 'X-B': '1', 'x-a': '2' })];",
    [
      ["x-a", "2"],
      ["x-b", "1"],
    ],
  ],
  [
    "set-cookie is listed once per cookie",
    "const h = new Headers([['Set-Cookie', 'a=1'], ['set-cookie', 'b=2']]); return [...h];",
    [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ],
  ],
  [
    "getSetCookie keeps cookies apart",
    "const h = new Headers([['Set-Cookie', 'a=1'], ['set-cookie', 'b=2']]); return [h.getSetCookie(), h.get('set-cookie')];",
    [["a=1", "b=2"], "a=1, b=2"],
  ],
  ["white space around a value is dropped", "return new Headers({ a: ' \\t b c \\r\\n' }).get('a');", "b c"],
  ["a value with a line break is refused", "new Headers({ a: 'b\\r\\nc: d' });", "throws TypeError"],
  ["a value with NUL is refused", "new Headers({ a: 'b\\0' });", "throws TypeError"],
  ["a value above U+00FF is refused", "new Headers({ a: '\\u0100' });", "throws TypeError"],
  ["an empty name is refused", "new Headers().append('', 'a');", "throws TypeError"],
  ["a name with a space is refused", "new Headers({ 'a b': '1' });", "throws TypeError"],
  ["a pair of three is refused", "new Headers([['a', 'b', 'c']]);", "throws TypeError"],
  ["null is refused", "new Headers(null);", "throws TypeError"],
  [
    "set replaces every value",
    "const h = new Headers([['a', '1'], ['a', '2']]); h.set('A', '3'); return [...h];",
    [["a", "3"]],
  ],
  [
    "delete removes every value",
    "const h = new Headers([['a', '1'], ['a', '2']]); h.delete('A'); return h.has('a');",
    false,
  ],
  ["get of a missing header is null", "return new Headers().get('a');", null],
  [
    "forEach passes value, name, headers",
    "const out = []; const h = new Headers({ a: '1' }); h.forEach((v, k, o) => out.push(v, k, o === h)); return out;",
    ["1", "a", true],
  ],
  [
    "headers added while iterating are seen",
    "const h = new Headers({ b: '1' }); const out = []; for (const [k] of h) { out.push(k); if (k === 'b') h.append('c', '2'); } return out;",
    ["b", "c"],
  ],
  ["Headers called without new throws", "Headers();", "throws TypeError"],
  [
    "its members are enumerable and named",
    "return [Object.keys(Headers.prototype).includes('append'), Headers.prototype.append.length, String(new Headers())];",
    [true, 2, "[object Headers]"],
  ],
  ["too few arguments throw", "new Headers().get();", "throws TypeError"],
];

const REQUEST: readonly Row[] = [
  [
    "known methods become upper case, others stay",
    "return ['post', 'patch', 'Head'].map((method) => new Request('http://a/', { method }).method);",
    ["POST", "patch", "HEAD"],
  ],
  ["TRACE is refused", "new Request('http://a/', { method: 'TRACE' });", "throws TypeError"],
  ["a method with a space is refused", "new Request('http://a/', { method: 'GE T' });", "throws TypeError"],
  ["a relative URL is refused", "new Request('/a');", "throws TypeError"],
  ["a URL with credentials is refused", "new Request('http://u:p@a/');", "throws TypeError"],
  ["GET with a body is refused", "new Request('http://a/', { body: 'x' });", "throws TypeError"],
  ["HEAD with a body is refused", "new Request('http://a/', { method: 'HEAD', body: 'x' });", "throws TypeError"],
  [
    "a text body is text/plain",
    "return new Request('http://a/', { method: 'POST', body: 'x' }).headers.get('content-type');",
    "text/plain;charset=UTF-8",
  ],
  [
    "URLSearchParams are a form",
    "return new Request('http://a/', { method: 'POST', body: new URLSearchParams('a=b') }).headers.get('content-type');",
    "application/x-www-form-urlencoded;charset=UTF-8",
  ],
  [
    "bytes have no type",
    "return new Request('http://a/', { method: 'POST', body: new Uint8Array(1) }).headers.get('content-type');",
    null,
  ],
  [
    "a blob brings its type",
    "return new Request('http://a/', { method: 'POST', body: new Blob(['a'], { type: 'text/CSS' }) }).headers.get('content-type');",
    "text/css",
  ],
  [
    "a given type wins",
    "return new Request('http://a/', { method: 'POST', body: 'x', headers: { 'content-type': 'a/b' } }).headers.get('content-type');",
    "a/b",
  ],
  [
    "a stream needs duplex",
    "new Request('http://a/', { method: 'POST', body: new ReadableStream() });",
    "throws TypeError",
  ],
  [
    "a request from a request takes its body",
    "const a = new Request('http://a/', { method: 'POST', body: 'x' }); const b = new Request(a); return [a.bodyUsed, await b.text()];",
    [true, "x"],
  ],
  [
    "a used body cannot be taken again",
    "const a = new Request('http://a/', { method: 'POST', body: 'x' }); await a.text(); new Request(a);",
    "throws TypeError",
  ],
  [
    "clone reads the same",
    "const a = new Request('http://a/', { method: 'POST', body: 'x' }); const b = a.clone(); return [await a.text(), await b.text()];",
    ["x", "x"],
  ],
  [
    "the signal follows the given one",
    "const c = new AbortController(); const r = new Request('http://a/', { signal: c.signal }); c.abort('why'); return [r.signal.aborted, r.signal.reason, r.signal === c.signal];",
    [true, "why", false],
  ],
  ["a signal that is none is refused", "new Request('http://a/', { signal: {} });", "throws TypeError"],
  [
    "Cookie, Origin, Referer and Host are kept as given",
    "return [...new Request('http://a/', { headers: { Cookie: 'c', Origin: 'o', Referer: 'r', Host: 'h' } }).headers.keys()];",
    ["cookie", "host", "origin", "referer"],
  ],
  ["an unknown redirect mode is refused", "new Request('http://a/', { redirect: 'maybe' });", "throws TypeError"],
  ["navigate is refused", "new Request('http://a/', { mode: 'navigate' });", "throws TypeError"],
  [
    "defaults are those of the standard",
    "const r = new Request('http://a'); return [r.url, r.method, r.redirect, r.mode, r.credentials, r.cache, r.referrer];",
    ["http://a/", "GET", "follow", "cors", "same-origin", "default", "about:client"],
  ],
];

const RESPONSE: readonly Row[] = [
  [
    "status is 200 by default",
    "const r = new Response(); return [r.status, r.ok, r.statusText, r.type, r.url, r.redirected];",
    [200, true, "", "default", "", false],
  ],
  [
    "status 199 and 600 are refused",
    "return [199, 600].map((status) => { try { new Response(null, { status }); } catch (e) { return e.name; } });",
    ["RangeError", "RangeError"],
  ],
  ["a null body status takes no body", "new Response('x', { status: 204 });", "throws TypeError"],
  ["an empty text is a body still", "return new Response('').body === null;", false],
  ["no body is null", "return new Response().body;", null],
  ["json reads JSON", "return new Response('{\"a\":[1]}').json();", { a: [1] }],
  ["json of no JSON is a SyntaxError", "await new Response('x').json();", "throws SyntaxError"],
  ["text drops a byte order mark", "return new Response(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])).text();", "a"],
  ["a body can be read once", "const r = new Response('a'); await r.text(); await r.text();", "throws TypeError"],
  [
    "a locked body cannot be read",
    "const r = new Response('a'); r.body.getReader(); await r.text();",
    "throws TypeError",
  ],
  [
    "bodyUsed tells",
    "const r = new Response('a'); const before = r.bodyUsed; await r.arrayBuffer(); return [before, r.bodyUsed];",
    [false, true],
  ],
  [
    "the stream of a body holds its bytes",
    "const out = []; for await (const chunk of new Response('ab').body) out.push(...chunk); return out;",
    [97, 98],
  ],
  [
    "clone reads both",
    "const r = new Response('abc'); const c = r.clone(); return [await r.text(), await c.text()];",
    ["abc", "abc"],
  ],
  [
    "clone of a stream reads both",
    "const r = new Response(new Response('abc').body); const c = r.clone(); return [await r.text(), await c.text()];",
    ["abc", "abc"],
  ],
  ["a used response cannot be cloned", "const r = new Response('a'); await r.text(); r.clone();", "throws TypeError"],
  [
    "Response.json makes JSON",
    "const r = Response.json({ a: 1 }, { status: 201 }); return [r.status, r.headers.get('content-type'), await r.text()];",
    [201, "application/json", '{"a":1}'],
  ],
  ["Response.json of undefined is refused", "Response.json(undefined);", "throws TypeError"],
  [
    "Response.redirect checks its status",
    "return [Response.redirect('http://a/b').headers.get('location'), Response.redirect('http://a', 308).status];",
    ["http://a/b", 308],
  ],
  ["Response.redirect refuses 200", "Response.redirect('http://a', 200);", "throws RangeError"],
  [
    "Response.error has status 0 and immutable headers",
    "const r = Response.error(); try { r.headers.set('a', 'b'); } catch (e) { return [r.status, r.type, e.name]; }",
    [0, "error", "TypeError"],
  ],
  [
    "blob brings the response's type",
    "return (await new Response('a', { headers: { 'content-type': 'Text/HTML; Charset=utf-8' } }).blob()).type;",
    "text/html;charset=utf-8",
  ],
  [
    "bytes are a Uint8Array",
    "const b = await new Response('ab').bytes(); return [b instanceof Uint8Array, [...b]];",
    [true, [97, 98]],
  ],
  ["statusText with a line break is refused", "new Response(null, { statusText: 'a\\n' });", "throws TypeError"],
  [
    "a stream that fails rejects the read",
    "await new Response(new ReadableStream({ start(c) { c.error(new RangeError('x')); } })).text();",
    "throws RangeError",
  ],
  [
    "a stream of texts is refused",
    "await new Response(new ReadableStream({ start(c) { c.enqueue('a'); c.close(); } })).text();",
    "throws TypeError",
  ],
];

const FORM: readonly Row[] = [
  [
    "entries keep their order and names repeat",
    "const f = new FormData(); f.append('a', '1'); f.append('b', '2'); f.append('a', '3'); return [[...f], f.getAll('a')];",
    [
      [
        ["a", "1"],
        ["b", "2"],
        ["a", "3"],
      ],
      ["1", "3"],
    ],
  ],
  [
    "set replaces in place",
    "const f = new FormData(); f.append('a', '1'); f.append('b', '2'); f.append('a', '3'); f.set('a', '4'); return [...f];",
    [
      ["a", "4"],
      ["b", "2"],
    ],
  ],
  [
    "a blob becomes a file named blob",
    "const f = new FormData(); f.append('a', new Blob(['x'], { type: 't/y' })); const v = f.get('a'); return [v instanceof File, v.name, v.type];",
    [true, "blob", "t/y"],
  ],
  [
    "a file name renames",
    "const f = new FormData(); f.append('a', new File(['x'], 'old'), 'new'); return f.get('a').name;",
    "new",
  ],
  ["a file name for a text is refused", "new FormData().append('a', 'b', 'c');", "throws TypeError"],
  ["too few arguments are refused", "new FormData().append('a');", "throws TypeError"],
  [
    "multipart survives the round trip",
    "const f = new FormData(); f.append('a\"\\n', 'x\\ny'); f.append('f', new File([new Uint8Array([0, 255, 13, 10])], 'ü\".bin')); const g = await new Response(f).formData(); const v = g.get('f'); return [[...g.keys()], g.get('a\"\\r\\n') ?? [...g.values()][0], v.name, v.type, [...await v.bytes()]];",
    [['a"\r\n', "f"], "x\r\ny", 'ü".bin', "application/octet-stream", [0, 255, 13, 10]],
  ],
  [
    "a boundary is in the content type",
    "return /^multipart\\/form-data; boundary=----slipway\\w+$/.test(new Response(new FormData()).headers.get('content-type'));",
    true,
  ],
  [
    "a urlencoded body is read",
    "return [...await new Response(new URLSearchParams('a=1&b=%C3%BC+x')).formData()];",
    [
      ["a", "1"],
      ["b", "ü x"],
    ],
  ],
  ["a body of another type is refused", "await new Response('a').formData();", "throws TypeError"],
  [
    "a multipart body without end is refused",
    "await new Response('--x\\r\\n\\r\\n', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }).formData();",
    "throws TypeError",
  ],
  [
    "a part without name is refused",
    "await new Response('--x\\r\\nA: b\\r\\n\\r\\nv\\r\\n--x--', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }).formData();",
    "throws TypeError",
  ],
];

const FETCH: readonly Row[] = [
  [
    "an aborted signal rejects with its reason",
    "await fetch('http://a/', { signal: AbortSignal.abort(new RangeError('mine')) });",
    "throws RangeError",
  ],
  [
    "aborting later rejects with AbortError",
    "const c = new AbortController(); const p = fetch('http://127.0.0.1:1/', { signal: c.signal }); c.abort(); await p;",
    "throws AbortError",
  ],
  [
    "a wrong argument rejects, it does not throw",
    "let p; try { p = fetch(); } catch { return 'thrown'; } await p;",
    "throws TypeError",
  ],
  ["what the policy refuses is a TypeError", "await fetch('http://127.0.0.1:1/');", "throws TypeError"],
  ["a data: URL is refused", "await fetch('data:text/plain,a');", "throws TypeError"],
];

describe("Headers", () => testRows(bench, HEADERS));
describe("Request", () => testRows(bench, REQUEST));
describe("Response", () => testRows(bench, RESPONSE));
describe("FormData", () => testRows(bench, FORM));
describe("fetch", () => testRows(bench, FETCH));
