import { existsSync, readFileSync } from "node:fs";
import type { WidgetContext, WidgetResult } from "slipway/hook-api";

export async function query(ctx: WidgetContext): Promise<WidgetResult> {
  const file = `${ctx.mounts[0]?.localPath ?? ""}/token`;
  if (!existsSync(file)) return { needsSetup: true, reason: "Run the set-up action first" };
  const token = readFileSync(file, "utf8").trim();
  const response = await fetch(`http://${ctx.host}:${ctx.port}/status`, { headers: { Authorization: `Bearer ${token}` } });
  if (response.status === 401) return { needsSetup: true, reason: "The token is no longer valid" };
  return { fields: { status: { type: "text", text: await response.text() } } };
}
