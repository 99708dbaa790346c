/**
 * Takes away what a trial made, over the host's API alone, so that it works whatever became of the engine.
 *
 * Invariants:
 * 1. Only names the look before the trial found free are removed.
 * 2. Each part is tried whatever became of the one before; what stays is named, with the way to remove it by hand.
 */
import { posix } from "node:path";
import type { JsonObject } from "../../src/core/json/json.ts";
import { HostApi } from "./host-api.ts";
import { readSmb } from "./look.ts";
import type { TryOptions } from "./options.ts";
import type { Leftover } from "./report.ts";
import { type Found, listDatasets, readApp, readReason } from "./trial.ts";
import { APP, listPaths, SHARE } from "./trial-app.ts";

/** ms between two tries, and how many: a container that has just ended may keep a dataset busy. */
const RETRY = { waitMs: 1_000, times: 10 };
/** ms a job that was begun before is waited for: one step of the container engine may take 20 minutes. */
const JOB_MS = 1_800_000;

/** Removes the app, the share and the datasets, and puts the SMB service back. */
export async function cleanUp(options: TryOptions, found: Found, print: (line: string) => void): Promise<Leftover[]> {
  const top = `${found.dataset}/${posix.basename(listPaths(options.location).top)}`;
  const parts: readonly { what: string; byHand: string; run: (api: HostApi) => Promise<void> }[] = [
    { what: `the app "${APP}"`, byHand: `midclt call -j app.delete ${APP}`, run: removeApp },
    { what: `the share "${SHARE}"`, byHand: `Shares > SMB > ${SHARE} > Delete`, run: removeShare },
    {
      what: `the dataset "${top}"`,
      byHand: `midclt call pool.dataset.delete ${top} '{"recursive": true}'`,
      run: (api) => removeDatasets(api, top),
    },
    {
      what: `the SMB service, which was ${JSON.stringify(found.smb)}`,
      byHand: "System > Services > SMB",
      run: (api) => restoreSmb(api, found.smb),
    },
  ];
  const left: Leftover[] = [];
  for (const { what, byHand, run } of parts) {
    try {
      await withRetries(options, run);
      print(`    ok  ${what}`);
    } catch (error) {
      left.push({ what, why: readReason(error), byHand });
      print(`    LEFT  ${what}: ${readReason(error)}\n          by hand: ${byHand}`);
    }
  }
  return left;
}

/** Each try has a connection of its own: the one before may have ended. */
async function withRetries(options: TryOptions, run: (api: HostApi) => Promise<void>): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      const api = await HostApi.open(options);
      try {
        return await run(api);
      } finally {
        api.close();
      }
    } catch (error) {
      if (time === RETRY.times) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY.waitMs));
    }
  }
}

/** A job of the interrupted engine may still install it: that is waited for. */
async function removeApp(api: HostApi): Promise<void> {
  for (const late = performance.now() + JOB_MS; performance.now() < late; ) {
    const running = await api.rows("core.get_jobs", [
      [
        "method",
        "in",
        ["app.create", "app.update", "app.upgrade", "app.rollback", "app.start", "app.stop", "app.delete"],
      ],
      ["state", "in", ["WAITING", "RUNNING"]],
    ]);
    if (!running.some((job) => JSON.stringify(job["arguments"]).includes(`"${APP}"`))) break;
    await new Promise((resolve) => setTimeout(resolve, RETRY.waitMs));
  }
  if ((await readApp(api)) !== null) await api.job("app.delete", APP, { remove_ix_volumes: true });
  if ((await readApp(api)) !== null) throw new Error("the host still has it");
}

async function removeShare(api: HostApi): Promise<void> {
  const find = async () => api.rows("sharing.smb.query", [["name", "=", SHARE]]);
  for (const { id } of await find()) await api.call("sharing.smb.delete", id ?? null);
  if ((await find()).length > 0) throw new Error("the host still has it");
}

/** Clones hang on snapshots of one another, so the innermost go first, again and again while one of them goes. */
async function removeDatasets(api: HostApi, top: string): Promise<void> {
  for (;;) {
    const names = (await listDatasets(api, top)).toSorted((a, b) => b.length - a.length);
    if (names.length === 0) return;
    const faults: unknown[] = [];
    for (const name of names) {
      await api.call("pool.dataset.delete", name, { recursive: true }).catch((error: unknown) => faults.push(error));
    }
    if (faults.length === names.length) throw faults[0];
  }
}

/** Stopped first: a service that runs is not put back by the setting alone. */
async function restoreSmb(api: HostApi, before: JsonObject): Promise<void> {
  if (before["state"] === "STOPPED" && (await readSmb(api))["state"] !== "STOPPED") {
    if (api.isBefore2510) await api.call("service.stop", "cifs");
    else await api.job("service.control", "STOP", "cifs");
  }
  const enable = before["enable"] ?? false;
  if ((await readSmb(api))["enable"] !== enable) await api.call("service.update", "cifs", { enable });
}
