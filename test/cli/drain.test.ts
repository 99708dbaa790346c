/** `serve` on SIGTERM while a hook runs that would have to begin anew: it says so, and a second signal ends it at once. */
import { once } from "node:events";
import { afterAll, expect, it } from "vitest";
import { rawApp, rawSetup } from "../support/scripts/bad-scripts.ts";
import { createSlipwayFolder, startSlipway, untilOutput } from "../support/slipway-process.ts";

/** More calls than are recorded of a run, then a long one. */
const LONG = `export async function run() {
  const timer = () => new Promise((resolve) => setTimeout(resolve, 0));
  for (let round = 0; round < 42; round += 1) await Promise.all(Array.from({ length: 50 }, timer));
  await new Promise((resolve) => setTimeout(resolve, 50_000));
}`;

const folder = createSlipwayFolder({ "long.json": rawApp("long", { hooks: [rawSetup({ scriptContent: LONG })] }) });
afterAll(() => folder.remove());

it("drains on a signal and ends at once on the second", async () => {
  const served = startSlipway(["serve", ...folder.engine, "--listen", "127.0.0.1:0", "--no-token"]);
  const { url } = JSON.parse((await untilOutput(served, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "");
  const ended = once(served, "exit");
  const call = (path: string, method = "GET") => fetch(`${url}/api/${path}`, { method });
  const read = async (path: string, method?: string) => JSON.parse(await (await call(path, method)).text());
  const { id } = await read("apps/long/install", "POST");
  const marksOf = async () => (await read(`tasks/${id}`)).children[0]?.marks;
  await expect.poll(marksOf).toContain("notResumable");
  served.kill("SIGTERM");
  await expect.poll(async () => (await call("health/ready")).status).toBe(503);
  expect((await read("health")).draining.waitsFor).toEqual([expect.stringContaining(id)]);
  const refused = await call(`tasks/${id}/retry`, "POST");
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
  served.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
});
