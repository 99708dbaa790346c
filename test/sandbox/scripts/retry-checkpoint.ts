import type { HookContext } from "slipway/hook-api";

export async function claimServer(ctx: HookContext) {
  await ctx.registerCheckpoints([{ id: "claim", message: "Claiming the server" }]);
  for (;;) {
    try {
      const response = await fetch(`${ctx.baseUrl}/claim?token=${ctx.getInput<string>("token")}`, { method: "POST" });
      if (!response.ok) ctx.fail("The claim was refused", [{ label: "status", value: response.status }]);
      await ctx.emitCheckpoint("claim", "Claimed");
      return "claimed";
    } catch (error) {
      const choice = await ctx.awaitCheckpointRetry("claim", error);
      ctx.log("the user chose", choice);
      if (choice === "skip") {
        await ctx.skipCheckpoint("claim");
        return "skipped";
      }
    }
  }
}
