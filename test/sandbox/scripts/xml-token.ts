import { readFileSync } from "node:fs";
import type { HookContext, Mount } from "slipway/hook-api";
import { requestJson, sendJson } from "./lib/http.ts";

function configOf(mounts: Mount[]): string {
  const mount = mounts.find(({ containerPath }) => containerPath === "/config");
  if (!mount) throw new Error("no /config mount");
  return readFileSync(`${mount.localPath}/config.xml`, "utf8");
}

export async function addDownloadClient(ctx: HookContext): Promise<{ created: boolean }> {
  const key = /<ApiKey>([0-9a-f]+)<\/ApiKey>/i.exec(configOf(ctx.mounts))?.[1];
  if (!key) ctx.fail("config.xml holds no API key", [{ label: "mount", value: "/config" }]);
  const headers = { "X-Api-Key": key };
  const clients = await requestJson<{ name: string }[]>(ctx, "/api/v3/downloadclient", { headers });
  if (clients.some(({ name }) => name === "qBittorrent")) return { created: false };
  await sendJson(ctx, "POST", "/api/v3/downloadclient", { name: "qBittorrent", host: ctx.host, port: 8080 }, headers);
  return { created: true };
}
