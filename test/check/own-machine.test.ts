/** Scripts under `slipway check` are anybody's: of the machine it runs on they reach the embedded host's apps alone. */
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { z } from "zod";
import { HOOKS } from "../../src/check/levels/hooks.ts";
import { rawApp, rawInstallHook } from "../support/check/apps.ts";
import { playLevel } from "../support/check/play.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

/** What the app's hook ends with, which tries one request. */
async function attempt(request: string, ports: readonly number[] = []): Promise<string> {
  const hook = rawInstallHook(`export async function run(ctx) {
    ctx.fail(await ${request}.then((answer) => "reached " + answer.status, String));
  }`);
  const requirements = { locations: ["Media"], ports: [30_111, ...ports] };
  folder.write("app.json", rawApp({ requirements, hooks: [hook] }));
  folder.write("standin/app.json", [
    { method: "GET", path: "/away", status: 302, headers: { location: "http://slipway.invalid/" } },
  ]);
  const { findings } = await playLevel(HOOKS, folder.path, "app");
  return findings.map(({ message }) => message).join("\n");
}

it("reaches nothing else that listens on all addresses, whatever port its script requires", async () => {
  const asked: unknown[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push([method, url]);
    response.end();
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  try {
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const request = `fetch("http://" + ctx.host + ":${port}/flush", { method: "POST" })`;
    expect(await attempt(request, [port])).toContain(`port ${port} of the host belongs to no installed app`);
    expect(asked).toEqual([]);
  } finally {
    server.close();
  }
});

it("follows no redirect of the app's fake away from this machine", async () => {
  expect(await attempt(`fetch(ctx.baseUrl + "/away")`)).toContain("while the internet is switched off");
});
