import type { HookContext } from "slipway/hook-api";

const major = (version = "0") => Number(version.split(".")[0]);

export async function guard(ctx: HookContext) {
  if (major(ctx.toVersion) - major(ctx.fromVersion) > 1) {
    ctx.fail("Versions must not be skipped", [
      { label: "installed", value: ctx.fromVersion },
      { label: "wanted", value: ctx.toVersion },
    ]);
  }
  const response = await fetch(`${ctx.baseUrl}/export`, { headers: { Accept: "application/x-ndjson" } });
  const lines: string[] = [];
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    lines.push(...parts);
  }
  return { event: ctx.event, items: lines.map((line) => JSON.parse(line).id) };
}
