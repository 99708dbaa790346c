/** Drift over HTTP and at the command line, of an app on the embedded host that somebody else changes and removes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Drift } from "../../src/http/schemas/drifts.ts";
import { runCommand } from "../support/command-line.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";
import { openLoggedIn } from "../support/engine/standin-client.ts";

let served: ServedEngine;
beforeAll(async () => {
  served = await serveEngine();
});
afterAll(() => served.close());

const look = async () => Drift.parse(await (await served.post("/drift/look")).json());
const drift = async (...args: readonly string[]) => runCommand("drift", "--api", served.server.url, ...args);

it("an app is as it was installed, then with another option, then gone", async () => {
  expect(Drift.parse(await (await served.api("/drift")).json())).toEqual({ findings: [], lookedAt: null, skipped: [] });
  const { id } = await served.engine.install("demo-notes", { answers: { admin_user: "ada" } });
  const asking = await served.engine.settled(id);
  await served.engine.skip(asking.children[0]?.id ?? "");
  await served.engine.settled(id);
  // the host has filled in the rest of the options by then
  expect(await look()).toMatchObject({ findings: [], skipped: [], lookedAt: expect.any(String) });
  expect(await drift()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("nothing was found") });

  const host = await openLoggedIn(served.standin);
  await host.job("app.update", "demo-notes", { values: { network: { web_port: { port_number: 30_999 } } } });
  const { findings } = await look();
  // what is not one open answer is not shown: it may hold anything
  expect(findings).toEqual([
    expect.objectContaining({ code: "DRIFT_VALUE", subject: expect.stringContaining("port_number") }),
  ]);
  expect(JSON.stringify(findings)).not.toContain("30999");
  expect(Drift.parse(await (await served.api("/drift")).json()).findings).toEqual(findings);
  const text = await drift();
  expect(text).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("try: slipway update demo-notes") });

  await host.job("app.delete", "demo-notes", {});
  const json = await drift("--format", "json");
  expect(json.exitCode).toBe(1);
  expect(Drift.parse(JSON.parse(json.stdout)).findings).toMatchObject([
    { code: "DRIFT_APP_GONE", subject: "demo-notes", proposal: { method: "install", appId: "demo-notes" } },
  ]);
});
