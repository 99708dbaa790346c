import type { HookContext } from "slipway/hook-api";
import { requestJson, sendJson } from "./lib/http.ts";
import { retry } from "./lib/retry.ts";

const LIBRARIES = [
  { name: "Movies", type: "movies", path: "/media/movies" },
  { name: "Shows", type: "tvshows", path: "/media/shows" },
];

export async function setUp(ctx: HookContext) {
  await ctx.registerCheckpoints([
    { id: "ready", message: "Waiting for the server" },
    { id: "wizard", message: "First configuration" },
    { id: "libraries", message: "Adding libraries" },
  ]);
  await ctx.waitForApp("/System/Info/Public", { retries: 20, timeout: 2000, initialDelayMs: 10 });
  await ctx.emitCheckpoint("ready");

  const { name, password } = ctx.getInput<{ name: string; password: string }>("admin");
  const startup = await requestJson<{ completed: boolean }>(ctx, "/Startup/State");
  if (startup.completed) {
    await ctx.skipCheckpoint("wizard", "Already configured");
  } else {
    await sendJson(ctx, "POST", "/Startup/User", { Name: name, Password: password });
    await sendJson(ctx, "POST", "/Startup/Complete", {});
    await ctx.emitCheckpoint("wizard", "Configured", 40);
  }

  const { AccessToken } = await sendJson<{ AccessToken: string }>(ctx, "POST", "/Users/Authenticate", {
    Username: name,
    Pw: password,
  });
  for (const [index, library] of LIBRARIES.entries()) {
    await ctx.updateCheckpointMessage("libraries", `Adding ${library.name}`);
    await retry(ctx, library.name, 4, () =>
      sendJson(ctx, "POST", `/Library/Folders?name=${encodeURIComponent(library.name)}`, library, {
        Authorization: `MediaBrowser Token="${AccessToken}"`,
      }),
    );
    await ctx.setProgress(50 + index * 20);
  }
  await ctx.emitCheckpoint("libraries", `${LIBRARIES.length} libraries`);
}
