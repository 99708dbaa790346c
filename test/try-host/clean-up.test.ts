/** A trial that is interrupted or fails leaves nothing on the host, or says what and how to remove it. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { Report } from "../../scripts/try-host/report.ts";
import { openLoggedIn, temporaryDirectory } from "../support/engine/standin-client.ts";
import { RELAY_CA, startTlsRelay } from "../support/host/tls-relay.ts";
import { contentOf, failuresOf, startTrialHost, TRIAL_PATH, tryOn } from "../support/host/try-host.ts";

const DATASET = "tank/Media/slipway-try";

describe("interrupted during", () => {
  test.each(["install", "roll the update back", "adopt an older version", "uninstall with its data"])(
    "%s",
    async (step) => {
      const host = await startTrialHost();
      const before = contentOf(host);
      const interrupt = new AbortController();
      const print = (line: string) => {
        if (line === `- ${step}`) setImmediate(() => interrupt.abort(new Error("interrupted")));
      };
      const { report } = await tryOn(host, { terminal: { print, signal: interrupt.signal } });
      expect(report).toMatchObject({ ended: "interrupted", left: [] });
      expect(contentOf(host)).toEqual(before);
    },
  );

  test("a job of the host, by Ctrl-C in a terminal's process", async () => {
    const host = await startTrialHost("25.10", 2);
    const before = contentOf(host);
    const folder = temporaryDirectory();
    const relay = await startTlsRelay(host.url);
    onTestFinished(() => relay.close());
    writeFileSync(join(folder, "key"), host.apiKey);
    const file = join(folder, "report.json");
    const child = spawn(process.execPath, [
      "scripts/try-host.ts",
      ...["--host", relay.url, "--ca", RELAY_CA, "--host-user", host.username, "--api-key-file", join(folder, "key")],
      ...["--location", `Media=${TRIAL_PATH}`, "--local-root", host.dir, "--report", file, "--yes"],
    ]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const said = text(child.stdout);
    const ended = new Promise((resolve) => child.once("close", resolve));
    await expect
      .poll(() => host.control.jobs().some(({ method, state }) => method === "app.create" && state === "RUNNING"))
      .toBe(true);
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(await said).toContain("interrupted: cleaning up");
    expect(Report.parse(JSON.parse(readFileSync(file, "utf8")))).toMatchObject({ ended: "interrupted", left: [] });
    expect(contentOf(host)).toEqual(before);
  });
});

test("a step that fails is in the report with the host's words, and the rest goes away all the same", async () => {
  const host = await startTrialHost();
  const before = contentOf(host);
  host.control.arm("job-call-error@app.update");
  const { report } = await tryOn(host);
  expect(report).toMatchObject({ ended: "failed", left: [] });
  expect(failuresOf(report).map(({ step }) => step)).toEqual(["update"]);
  expect(report.steps.find(({ step }) => step === "roll the update back")).toMatchObject({
    state: "skipped",
    reason: "the update failed",
  });
  expect(contentOf(host)).toEqual(before);
});

test("what can't be removed is named with the way to do it by hand, and the rest is removed", async () => {
  const host = await startTrialHost();
  const client = await openLoggedIn(host);
  await client.call("pool.dataset.create", { name: "tank/clones" });
  let cloned: Promise<unknown> | undefined;
  const print = (line: string) => {
    const snapshot = host.control.state().snapshots.find(({ dataset }) => dataset === `${DATASET}/assets`);
    if (!line.startsWith("- clean up") || snapshot === undefined) return;
    cloned = client.call("pool.snapshot.clone", {
      snapshot: `${DATASET}/assets@${snapshot.name}`,
      dataset_dst: "tank/clones/one",
    });
  };
  const { report, printed } = await tryOn(host, { terminal: { print } });
  await cloned;
  expect(report.left).toMatchObject([
    { what: expect.stringContaining("slipway-try"), why: expect.stringContaining("clones") },
  ]);
  expect(printed).toContain(`by hand: midclt call pool.dataset.delete ${DATASET} '{"recursive": true}'`);
  const { apps, shares, datasets } = contentOf(host);
  expect([apps, shares, Object.keys(datasets).filter((id) => id.startsWith(DATASET))]).toEqual([
    {},
    [],
    expect.arrayContaining([DATASET]),
  ]);
});
