import type { Attack } from "./attack.ts";

/** More of everything than allowed, and standing still. */
export const FLOOD_ATTACKS: readonly Attack[] = [
  row("logs without end", "for (;;) ctx.log('x');", "quota_log"),
  row("logs megabytes", "for (;;) ctx.log('x'.repeat(1 << 20));", "quota_log", "timeout_cpu"),
  row("logs one line of a megabyte", "ctx.log('x'.repeat(1 << 20));", "completed"),
  row("writes to the console without end", "for (;;) console.log('x');", "quota_log"),
  hook(
    "registers checkpoints without end",
    "for (let i = 0; ; i++) await ctx.emitCheckpoint('c' + i, 'x');",
    "quota_checkpoints",
  ),
  hook(
    "registers too many checkpoints at once",
    "await ctx.registerCheckpoints(Array.from({ length: 5000 }, (_, i) => ({ id: 'c' + i, message: 'x' }))); await ctx.sleep(9e5);",
    "quota_checkpoints",
  ),
  hook(
    "reports progress without end",
    "for (let i = 0; ; i++) ctx.setProgress(i % 100);",
    "quota_messages",
    "timeout_cpu",
  ),
  row("starts timers without end", "for (;;) setTimeout(() => {}, 1e6);", "quota_timers", "quota_messages"),
  row("starts and clears timers without end", "for (;;) clearTimeout(setTimeout(() => {}, 1e6));", "quota_messages"),
  row(
    "starts intervals of nothing",
    "setInterval(() => {}, 0); await new Promise(() => {});",
    "quota_messages",
    "timeout_wall",
  ),
  row("fetches without end", "for (;;) await fetch(ctx.baseUrl + '/ok');", "quota_fetches"),
  row(
    "fetches all at once",
    "await Promise.all(Array.from({ length: 500 }, () => fetch(ctx.baseUrl + '/ok')));",
    "quota_fetches",
  ),
  row(
    "aborts what it fetches",
    "for (;;) { const c = new AbortController(); fetch(ctx.baseUrl + '/hang', { signal: c.signal }).catch(() => {}); c.abort(); }",
    "quota_messages",
    "quota_fetches",
  ),
  row(
    "asks for random bytes without end",
    "for (;;) crypto.getRandomValues(new Uint8Array(65536));",
    "quota_messages",
    "timeout_cpu",
  ),
  row(
    "asks for files without end",
    "for (;;) try { fs.statSync(ctx.mounts[0].localPath); } catch {}",
    "quota_messages",
  ),
  hook(
    "sends a body past the limit",
    "await fetch(ctx.baseUrl + '/ok', { method: 'POST', body: new Uint8Array(17 << 20) });",
    "quota_request",
    "memory",
  ),
  hook(
    "sends a body past a frame",
    "await fetch(ctx.baseUrl + '/ok', { method: 'POST', body: new Uint8Array(25 << 20) });",
    "quota_request",
    "memory",
  ),
  hook(
    "sends many bodies at once",
    "await Promise.all(Array.from({ length: 20 }, () => fetch(ctx.baseUrl + '/hang', { method: 'POST', body: new Uint8Array(1 << 20) })));",
    "quota_request",
    "memory",
  ),
  row("reads a response past the limit", "await fetch(ctx.baseUrl + '/big');", "quota_response"),
  row("reads a compressed response past the limit", "await fetch(ctx.baseUrl + '/bomb');", "quota_response"),
  row(
    "reads responses past the limit in all",
    "for (;;) await (await fetch(ctx.baseUrl + '/half')).arrayBuffer();",
    "quota_responses",
    "memory",
  ),
  row(
    "sends 100,000 headers",
    "const h = new Headers(); for (let i = 0; i < 1e5; i++) h.append('x-' + (i % 2000), 'v' + i); await fetch(ctx.baseUrl + '/ok', { headers: h });",
    "script_error",
    "quota_messages",
    "timeout_cpu",
  ),
  row(
    "sends a header past a frame",
    "await fetch(ctx.baseUrl + '/ok', { headers: { 'x-a': 'v'.repeat(4 << 20) } });",
    "script_error",
    "quota_messages",
  ),
  row(
    "sends an SQL text past a frame",
    "const d = new Database(ctx.mounts[0].localPath + '/x.db', { readonly: true }); d.query('select 1' + ' '.repeat(4 << 20)).all();",
    "quota_messages",
    "script_error",
  ),
  row("waits for ever", "await new Promise(() => {});", "timeout_wall"),
  row("sleeps for ever", "for (;;) await new Promise((r) => setTimeout(r, 50));", "timeout_wall"),
  row("waits for an answer that never comes", "await fetch(ctx.baseUrl + '/hang');", "timeout_wall"),
  row("waits for a body that never ends", "await (await fetch(ctx.baseUrl + '/drip')).text();", "timeout_wall"),
  hook(
    "polls an app that never answers",
    "await ctx.waitForApp('/hang', { retries: 1e9, timeout: 1e9, initialDelayMs: 0 });",
    "timeout_wall",
  ),
];

function row(name: string, body: string, ...ends: Attack["ends"][number][]): Attack {
  return { class: ends[0] === "timeout_wall" ? "wall" : "flood", name, body, ends };
}

function hook(name: string, body: string, ...ends: Attack["ends"][number][]): Attack {
  return { ...row(name, body, ...ends), kind: "hook" };
}
