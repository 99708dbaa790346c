/** The TypeScript of a new app, to be read and changed. */
import type { NewApp } from "./new-app.ts";

/** A hook that waits for the app and gives it its settings; whatever goes wrong is said in words of its own. */
export function writeHookSource({ name }: NewApp): string {
  return `import type { HookContext } from "slipway/hook-api";

/** Gives the app its settings: after the install, and whenever somebody presses it. */
export async function setUp(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([
    { id: "ready", message: ${quote(`Waiting for ${name}`)} },
    { id: "settings", message: ${quote(`Setting up ${name}`)} },
  ]);

  await ctx
    .waitForApp("/health", { initialDelayMs: 500, maxAttempts: 15 })
    .catch((error: unknown) => ctx.fail(${quote(`${name} did not come up`)}, [{ label: "Reason", value: String(error) }]));
  await ctx.emitCheckpoint("ready");

  const answer = await fetch(\`\${ctx.baseUrl}/api/settings\`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ language: "en" }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => ctx.fail(${quote(`${name} did not answer`)}, [{ label: "Reason", value: String(error) }]));
  if (!answer.ok) ctx.fail(${quote(`${name} refused its settings`)}, [{ label: "Status", value: String(answer.status) }]);
  await ctx.emitCheckpoint("settings", ${quote(`${name} is set up`)});
}
`;
}

/** A widget that shows one number the app knows. */
export function writeWidgetSource({ name }: NewApp): string {
  return `import type { WidgetContext, WidgetResult } from "slipway/hook-api";

/** Counts what the app holds. */
export async function overview(ctx: WidgetContext): Promise<WidgetResult> {
  const answer = await fetch(\`http://\${ctx.host}:\${ctx.port}/api/status\`);
  if (answer.status === 401) return { needsSetup: true, reason: ${quote(`${name} is not set up yet`)} };
  const { items }: { items: number } = await answer.json();
  return { fields: { items: { type: "stat", label: "Items", value: items } } };
}
`;
}

/** A text as TypeScript. */
function quote(text: string): string {
  return JSON.stringify(text);
}
