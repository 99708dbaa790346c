import type { HookContext } from "slipway/hook-api";

interface Scan {
  scanning: boolean;
  count: number;
  total: number;
}

const params = (ctx: HookContext, extra: Record<string, string> = {}) =>
  new URLSearchParams({ u: ctx.getInput("user"), p: ctx.getInput("password"), c: "slipway", f: "json", ...extra });

async function status(ctx: HookContext): Promise<Scan> {
  const url = new URL("/rest/getScanStatus", ctx.baseUrl);
  for (const [name, value] of params(ctx)) url.searchParams.set(name, value);
  const response = await fetch(url);
  return (await response.json()).scanStatus;
}

export async function scan(ctx: HookContext) {
  await fetch(`${ctx.baseUrl}/rest/startScan`, { method: "POST", body: params(ctx, { fullScan: "true" }) });
  for (;;) {
    const { scanning, count, total } = await status(ctx);
    if (!scanning) return { songs: count };
    await ctx.setProgress(Math.min(99, Math.round((100 * count) / total)));
    await ctx.sleep(5);
  }
}
