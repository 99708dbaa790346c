/** The house at its end: others have changed the host, the engine has looked, and is about to close. */
import { expect } from "vitest";
import type { House } from "./house.ts";
import { asOthers, changeOptions } from "./others.ts";

/** The dataset of an app's data. */
const PHOTOS = "tank/ApplicationsPerformance/photos/data";
/** Longer than anybody looks at it. */
const DEADLINE_MS = 3_600_000;

/** Brings the house to its end, of which nothing leads back; what is returned has the engine close. */
export async function bringToEnd(house: House): Promise<() => Promise<void>> {
  await letDrift(house);
  return letDrain(house);
}

/** Findings with each kind of way out, and one without; apps that were left out; and a look that came to no end. */
async function letDrift({ engine, standin, control }: House): Promise<void> {
  for (const start of [() => engine.uninstall("media"), () => engine.install("media")]) {
    expect(await engine.settled((await start()).id)).toMatchObject({ state: "COMPLETED" });
  }
  await asOthers({ standin }, (host) => changeOptions(host, "photos", { edge: 800 }));
  await control("setLocked", PHOTOS, true);
  await engine.lookForDrift();
  await control("setDocker", "INITIALIZING");
  const { findings, skipped, failed } = await engine.lookForDrift();
  await control("setDocker", "RUNNING");
  expect(findings.map(({ code, proposal }) => [code, proposal?.method])).toEqual([
    ["DRIFT_VERSION", "update"],
    ["DRIFT_APP_UNKNOWN", "adopt"],
    ["DRIFT_VALUE", "update"],
    ["DRIFT_DIRECTORY_GONE", undefined],
    ["DRIFT_LINK_LOST", "runAction"],
  ]);
  expect(skipped).toContainEqual({ appId: "greeter", appName: "Greeter", code: "TASK_CONFLICT" });
  expect(failed).toMatchObject({ code: "HOST_APPS_UNAVAILABLE" });
}

/** It waits for a hook that would have to begin anew. */
async function letDrain({ engine }: House): Promise<() => Promise<void>> {
  const { id } = await engine.runAction("chess", "think");
  for await (const { task } of engine.watch(0)) if (task.id === id && task.marks.includes("notResumable")) break;
  const drained = engine.drain({ deadlineMs: DEADLINE_MS });
  expect((await engine.health()).draining).toMatchObject({ waitsFor: [id] });
  return async () => {
    await engine.cancel(id);
    expect(await drained).toEqual({ beginAnew: [] });
  };
}
