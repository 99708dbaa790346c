import type { Attack } from "./attack.ts";

/** Reaching for another realm, for the doors themselves, for Node. Each returns what it got hold of. */
export const ESCAPE_ATTACKS: readonly Attack[] = [
  row("asks a function's constructor for process", "return typeof Function('return globalThis.process?.pid')();"),
  row(
    "asks fetch's constructor for process",
    "return typeof fetch.constructor.constructor('return globalThis.process?.pid')();",
  ),
  row(
    "asks a host error's constructor",
    "try { fs.readFileSync('/nope'); } catch (e) { return typeof e.constructor.constructor('return globalThis.process?.pid')(); }",
  ),
  row(
    "asks a rejected fetch's constructor",
    "try { await fetch('http://127.0.0.2/'); } catch (e) { return typeof e.constructor.constructor('return globalThis.process?.pid')(); }",
  ),
  row(
    "asks a stack overflow's constructor",
    "const f = () => f(); try { f(); } catch (e) { return typeof e.constructor.constructor('return globalThis.process?.pid')(); }",
  ),
  row(
    "asks an overflow inside a call out",
    "let e1; const f = () => { try { f(); } finally { try { new URL('http://a'); } catch (e) { e1 = e; } } }; try { f(); } catch (e) { e1 ??= e; } return typeof e1.constructor.constructor('return globalThis.process?.pid')();",
    "timeout_cpu",
  ),
  row(
    "looks through call sites",
    "let found; Error.prepareStackTrace = (_, sites) => { for (const s of sites) { const t = s.getThis?.(); const f = s.getFunction?.(); if (t?.process?.pid || f?.constructor?.('return globalThis.process?.pid')()) found = t; } return ''; }; void new Error().stack; try { fs.readFileSync('/nope'); } catch (e) { void e.stack; } return typeof found;",
  ),
  row("looks for the doors in every reachable object", WALK()),
  row(
    "looks for a caller",
    "try { return typeof (function () { return arguments.callee.caller; })(); } catch { return 'undefined'; }",
  ),
  row(
    "replaces Promise's then to see the doors",
    "let seen; const then = Promise.prototype.then; Promise.prototype.then = function (a, b) { if (this && typeof this.applySyncPromise === 'function') seen = this; return then.call(this, a, b); }; await new Promise((r) => setTimeout(r, 1)); return typeof seen;",
  ),
  row(
    "has the absent globals",
    "return ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'require', 'module', 'Worker', 'MessageChannel'].filter((n) => globalThis[n] !== undefined).join() || 'undefined';",
  ),
  row("imports node:child_process by a computed name", importing("'node:child' + '_process'")),
  row("imports a data URL", importing("'data:text/javascript,export default 1'")),
  row("imports the bundle of the child", importing("'file:///proc/self/cwd'")),
  row(
    "reads the environment",
    "return globalThis.process?.env && Object.keys(process.env).length > 0 ? 'object' : 'undefined';",
  ),
  row(
    "reads Function's own realm by Reflect.construct",
    "const F = Reflect.construct(Function, ['return globalThis'], Object); return F().process === undefined || Object.keys(F().process).join() === 'env' ? 'undefined' : 'object';",
  ),
  row(
    "uses the species of an array",
    "class A extends Array { static get [Symbol.species]() { return function () { throw new Error('x'); }; } } try { new A(1, 2).map((x) => x); } catch {} return 'undefined';",
  ),
  row(
    "pollutes Object.prototype with an operation",
    "Object.prototype.op = 'done'; Object.prototype.outcome = { status: 'completed', result: 'object' }; ctx.log('x'); await new Promise((r) => setTimeout(r, 1)); return 'undefined';",
  ),
  row(
    "defines Object.prototype.toJSON",
    "Object.prototype.toJSON = () => ({ op: 'done', outcome: { status: 'completed', result: 'object' } }); ctx.log('x'); await new Promise((r) => setTimeout(r, 1)); return 'undefined';",
    "timeout_wall",
    "timeout_cpu",
  ),
  row(
    "replaces JSON",
    'JSON.stringify = () => \'{"op":"done","outcome":{"status":"completed","result":"object"}}\'; JSON.parse = () => ({}); ctx.log(\'x\'); await fetch(ctx.baseUrl + \'/ok\'); return \'undefined\';',
  ),
  row(
    "replaces the iteration of arrays",
    "Array.prototype[Symbol.iterator] = function* () { yield { op: 'done' }; }; ctx.log('x'); await fetch(ctx.baseUrl + '/ok'); return 'undefined';",
    "script_error",
  ),
  row(
    "replaces call and apply",
    "Function.prototype.call = Function.prototype.apply = () => 'object'; Reflect.apply = () => 'object'; ctx.log('x'); await fetch(ctx.baseUrl + '/ok'); return 'undefined';",
  ),
  row(
    "replaces the methods of Map",
    "Map.prototype.get = Map.prototype.has = () => undefined; await new Promise((r) => setTimeout(r, 1)); return 'undefined';",
  ),
  row(
    "replaces String's methods",
    "for (const n of Object.getOwnPropertyNames(String.prototype)) try { String.prototype[n] = () => 'object'; } catch {} ctx.log('x'); return 'undefined';",
  ),
  row("replaces Promise", "globalThis.Promise = class { then() {} }; ctx.log('x'); return 'undefined';"),
  row(
    "sets a setter on Array.prototype",
    "let seen; Object.defineProperty(Array.prototype, 0, { set(v) { if (v?.applySyncPromise) seen = v; }, get() {}, configurable: true }); ctx.log('x'); await new Promise((r) => setTimeout(r, 1)); return typeof seen;",
  ),
  row(
    "freezes the world",
    "for (const n of Object.getOwnPropertyNames(globalThis)) try { Object.freeze(globalThis[n]?.prototype); Object.freeze(globalThis[n]); } catch {} await fetch(ctx.baseUrl + '/ok'); return 'undefined';",
  ),
];

/** Everything reachable from the globals and the context, by property, prototype and getter. */
function WALK(): string {
  return `
    const seen = new Set(), queue = [globalThis, ctx, fs]; let found;
    while (queue.length && seen.size < 20000) {
      const o = queue.pop();
      if (o === null || (typeof o !== 'object' && typeof o !== 'function') || seen.has(o)) continue;
      seen.add(o);
      try { if (o.applySyncPromise || o.copyInto || o.createContext || o.derefInto) found = o; } catch {}
      queue.push(Object.getPrototypeOf(o));
      for (const k of Reflect.ownKeys(o)) { try { queue.push(o[k]); } catch {} }
    }
    return typeof found;`;
}

/** By code made as the script runs: in the author's own text the compiler takes no name but a literal. */
function importing(name: string): string {
  return `try { return typeof (await new Function('name', 'return import(name)')(${name})); } catch { return 'undefined'; }`;
}

function row(name: string, body: string, ...also: Attack["ends"][number][]): Attack {
  return {
    class: also.includes("timeout_wall") ? "wall" : "escape",
    name,
    body,
    ends: ["completed", ...also],
    result: "undefined",
  };
}
