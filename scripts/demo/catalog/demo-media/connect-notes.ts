import type { HookContext } from "slipway/hook-api";

/** Tells Demo Media where Demo Notes answers. */
export async function connectNotes(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([{ id: "link", message: "Linking Demo Notes" }]);
  const notes = await ctx.getInstalledAppUrl("demo-notes");
  if (notes === null) ctx.fail("Demo Notes is not installed");
  const answer = await fetch(`${ctx.baseUrl}/api/links`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ notes }),
  }).catch(() => null);
  if (answer === null) ctx.fail("Demo Media does not answer");
  if (!answer.ok) ctx.fail("Demo Media refused the link", [{ label: "Status", value: String(answer.status) }]);
  await ctx.emitCheckpoint("link", "Demo Notes is linked");
}
