import { readFileSync } from "node:fs";
import type { HookContext } from "slipway/hook-api";
import { requestJson, sendJson } from "./lib/http.ts";

/** Runs on the library app; the target is the indexer manager that gets its address and key. */
export async function connect(ctx: HookContext) {
  const target = await ctx.getInstalledAppUrl("prowler");
  if (target === null) ctx.fail("Prowler is not installed", [{ label: "app", value: "prowler" }]);
  const key = readFileSync(`${ctx.mounts[0]!.localPath}/key.txt`, "utf8").trim();
  const known = await (await fetch(`${target}/api/applications`)).json<{ name: string; id: number }[]>();
  const existing = known.find(({ name }) => name === ctx.resourceId);
  const response = await fetch(`${target}/api/applications${existing ? `/${existing.id}` : ""}`, {
    method: existing ? "PUT" : "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: ctx.resourceId, baseUrl: ctx.baseUrl, apiKey: key }),
  });
  if (!response.ok) ctx.fail("Prowler refused the connection", [{ label: "status", value: response.status }]);
  await sendJson(ctx, "POST", "/api/indexers/sync", { from: target });
  return requestJson<{ indexers: number }>(ctx, "/api/indexers");
}
