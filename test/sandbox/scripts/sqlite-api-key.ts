import { Database } from "bun:sqlite";
import type { HookContext } from "slipway/hook-api";
import { requestJson } from "./lib/http.ts";

export async function rescan(ctx: HookContext) {
  const file = `${ctx.configPath ?? ctx.mounts[0]!.localPath}/app.db`;
  const db = new Database(file, { readonly: true });
  let key: string | undefined;
  try {
    key = db.query<{ value: string }>("SELECT value FROM settings WHERE name = ?").get("apikey")?.value;
  } finally {
    db.close();
  }
  if (!key) ctx.fail("The app has not created its API key yet", [{ label: "database", value: file }]);
  return requestJson(ctx, "/api/rescan", { method: "POST", headers: { "X-Api-Key": key } });
}
