import type { HookContext } from "slipway/hook-api";
import { requestJson, sendJson } from "./lib/http.ts";

interface Library {
  key: string;
  title: string;
  locations: string[];
}

/** Adds what is missing and leaves the rest alone: pressing the button twice changes nothing. */
export const addMissing = async (ctx: HookContext) => {
  const headers = { "X-Token": ctx.getInput<string>("token") };
  const { libraries } = await requestJson<{ libraries: Library[] }>(ctx, "/library/sections", { headers });
  const wanted = new Map(ctx.mounts.filter((m) => m.containerPath?.startsWith("/media/")).map((m) => [m.containerPath!, m]));
  for (const { locations } of libraries) for (const path of locations) wanted.delete(path);
  const added = await Promise.all(
    Array.from(wanted.keys(), async (path) => {
      const title = path.split("/").at(-1)!.replace(/^./, (c) => c.toUpperCase());
      return sendJson<Library>(ctx, "POST", "/library/sections", { title, locations: [path] }, headers);
    }),
  );
  await Promise.all(added.map(({ key }) => fetch(`${ctx.baseUrl}/library/sections/${key}/refresh`, { method: "PUT", headers })));
  return { added: added.map(({ title }) => title).sort() };
};
