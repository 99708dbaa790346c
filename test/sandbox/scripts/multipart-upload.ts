import { readFileSync } from "node:fs";
import type { HookContext } from "slipway/hook-api";

export async function upload(ctx: HookContext) {
  const ids: string[] = [];
  for (const file of ctx.target?.files ?? []) {
    const form = new FormData();
    form.append("deviceAssetId", `${file.name}-${file.size ?? 0}`);
    form.append("isFavorite", "false");
    form.append("assetData", new Blob([readFileSync(file.path)], { type: "image/jpeg" }), file.name);
    const response = await fetch(`${ctx.baseUrl}/api/assets`, {
      method: "POST",
      headers: { "x-api-key": ctx.getInput("key") },
      body: form,
    });
    if (response.status !== 201) ctx.fail(`Upload of ${file.name} failed`, [{ label: "status", value: response.status }]);
    ids.push((await response.json<{ id: string }>()).id);
    await ctx.setProgress(Math.round((99 * ids.length) / ctx.target!.files.length));
  }
  return ids;
}
