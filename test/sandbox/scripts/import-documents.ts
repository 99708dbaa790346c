import type { HookContext } from "slipway/hook-api";

/** Some files fail, the others are imported all the same; the user learns which. */
export async function importDocuments(ctx: HookContext) {
  const files = ctx.target!.files.filter(({ containerPath }) => containerPath !== null);
  const outcomes = await Promise.allSettled(
    files.map(async ({ name, containerPath }) => {
      const response = await fetch(`${ctx.baseUrl}/consume`, { method: "POST", body: JSON.stringify({ path: containerPath }) });
      if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
      return name;
    }),
  );
  const failed = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
  if (failed.length > 0) {
    ctx.fail(
      `${failed.length} of ${files.length} documents were refused`,
      failed.map(({ message }) => ({ label: message.split(": ")[0]!, value: message.split(": ")[1] })),
    );
  }
}
