import type { HookContext } from "slipway/hook-api";

const SERVERS = ["movies", "shows"] as const;

export async function linkServers(ctx: HookContext) {
  const linked: string[] = [];
  for (const app of SERVERS) {
    const url = await ctx.getInstalledAppUrl(app);
    if (!url) {
      ctx.log(`${app} is not installed`);
      continue;
    }
    const { hostname, port } = new URL(url);
    await fetch(`${ctx.baseUrl}/api/servers`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`admin:${ctx.getInput<string>("password")}`)}` },
      body: JSON.stringify({ app, hostname, port: Number(port), ssl: false }),
    });
    linked.push(app);
  }
  if (linked.length === 0) ctx.fail("Neither of the apps to link is installed");
  return linked;
}
