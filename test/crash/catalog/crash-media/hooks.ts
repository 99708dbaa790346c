import type { HookContext } from "slipway/hook-api";

export async function library(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([
    { id: "ready", message: "Waiting for the app" },
    { id: "notes", message: "Looking for the notes" },
    { id: "folder", message: "Adding the folder" },
  ]);
  await ctx.waitForApp("/health", { initialDelayMs: 20 });
  await ctx.emitCheckpoint("ready");
  await ctx.skipCheckpoint("notes", "Not wanted");
  await ctx.updateCheckpointMessage("folder", "Asking the app");
  const answer = await fetch(`${ctx.baseUrl}/api/folders/${ctx.getInput<string>("folder")}`, { method: "PUT" });
  if (!answer.ok) ctx.fail("The folder was refused");
  await ctx.emitCheckpoint("folder", "Added");
}

export async function scan(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([
    { id: "scan", message: "Scanning" },
    { id: "count", message: "Counting" },
  ]);
  await untilAccepted(ctx, "scan", "/api/scan");
  await ctx.emitCheckpoint("count", "Counted");
}

/** The app refuses the first attempt: Retry on the hook, from the beginning. */
export async function quiesce(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([{ id: "stop", message: "Stopping" }]);
  const answer = await fetch(`${ctx.baseUrl}/api/stop`, { method: "POST" });
  if (!answer.ok) ctx.fail("The app is busy", [{ label: "Status", value: answer.status }]);
  await ctx.emitCheckpoint("stop", "Stopped");
}

/** And here Retry on the checkpoint, where the script stands. */
export async function reindex(ctx: HookContext): Promise<void> {
  await ctx.waitForApp("/health", { initialDelayMs: 20 });
  await ctx.emitCheckpoint("ready", "Ready");
  await untilAccepted(ctx, "index", `/api/index/${ctx.getInput<number>("depth")}`);
}

/** A link of the two apps. */
export async function connect(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([{ id: "connected", message: "Connecting" }]);
  await ctx.waitForApp("/health", { initialDelayMs: 20 });
  await ctx.emitCheckpoint("connected", "Connected");
}

async function untilAccepted(ctx: HookContext, checkpoint: string, path: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${ctx.baseUrl}${path}`, { method: "POST" });
    if (answer.ok) break;
    const choice = await ctx.awaitCheckpointRetry(checkpoint, "The app is busy", [
      { label: "Status", value: answer.status },
    ]);
    if (choice === "skip") return;
  }
  await ctx.emitCheckpoint(checkpoint, "Done");
}
