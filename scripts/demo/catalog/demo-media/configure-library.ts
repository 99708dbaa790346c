import type { HookContext } from "slipway/hook-api";

/** Waits for the app, looks the paired app up, scans the library; a failed scan is put to the person. */
export async function configureLibrary(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([
    { id: "ready", message: "Waiting for Demo Media" },
    { id: "notes", message: "Looking for Demo Notes" },
    { id: "scan", message: "Scanning the library" },
  ]);

  await ctx.waitForApp("/health", { initialDelayMs: 200 });
  await ctx.emitCheckpoint("ready");

  const notes = await ctx.getInstalledAppUrl("demo-notes");
  await (notes === null
    ? ctx.skipCheckpoint("notes", "Demo Notes is not installed")
    : ctx.emitCheckpoint("notes", `Demo Notes answers at ${notes}`));

  for (;;) {
    // The scan takes a moment, as a real one does; whoever kills the engine here sees the hook start again.
    await ctx.sleep(1500);
    const answer = await fetch(`${ctx.baseUrl}/api/library/scan`, { method: "POST" }).catch(() => null);
    if (answer?.ok) break;
    const decision = await ctx.awaitCheckpointRetry("scan", "The library is busy", [
      { label: "Status", value: answer === null ? "no answer" : `${answer.status} ${answer.statusText}` },
    ]);
    if (decision === "skip") return;
  }
  await ctx.emitCheckpoint("scan", "Scanned the library");
}
