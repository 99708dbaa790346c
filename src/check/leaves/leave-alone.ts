/** An app that comes and goes on a host without others. */
import { isDeepStrictEqual } from "node:util";
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { type AppTable, NO_TABLE } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import type { Coverage } from "../coverage.ts";
import type { Findings } from "../findings.ts";
import { buildInstallRequest } from "../hooks/requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import { findMismatches } from "../scenarios/find-mismatch.ts";
import type { PlayedApp } from "../subject.ts";
import type { World } from "../world/worlds.ts";
import { excuse, install, type NotInstalled, uninstall } from "./come-and-go.ts";
import { placeDirectory, resolveDeclared } from "./directories.ts";
import { findAdded, findChanged, lookAtHost, type Trace } from "./host-sight.ts";
import { putAppData, putOwnersData } from "./put-data.ts";

/** Uninstalls an app as is usual, and installs it again on what it left: data, answers and secrets are as they were. */
export async function leaveAndComeBack(
  app: PlayedApp,
  fake: AppTable,
  setting: LevelSetting,
  findings: Findings,
): Promise<void> {
  const world = await setting.worlds.open(app, fake);
  try {
    const { appId, dictionary } = app;
    const { answers, ...again } = buildInstallRequest(dictionary, createSeededRandom(setting.seed));
    const first = await install(world, appId, { ...again, ...(answers !== undefined && { answers }) }, setting);
    if (first !== null) return tellNotInstalled(findings, first);
    await putAppData(world, appId);
    const values = await readValues(world, appId);
    const before = lookAtHost(world);
    if ((await uninstall(world, appId, {}, setting, findings)) === null) return;
    const declared = resolveDeclared(dictionary, await world.host.facts(), answers ?? {});
    for (const { kind, at } of findChanged(before, lookAtHost(world))) {
      if (kind === "app") continue;
      const text = `the ${kind} "${at}" is gone or changed after an uninstall that keeps the app's data`;
      findings.add("CHECK_DATA_LOST", text, placeDirectory(declared, at));
    }
    const second = await install(world, appId, again, setting);
    if (second !== null) {
      const hook = dictionary.hooks.findIndex(({ id }) => id === second.hookId);
      const text = `a reinstall on the data that was kept does not complete: ${second.why}`;
      findings.add("CHECK_REINSTALL_FAILED", text, hook < 0 ? [] : ["hooks", hook]);
      return;
    }
    const now = await readValues(world, appId);
    if (isDeepStrictEqual(now, values)) return;
    const [changed] = findMismatches(values, now, ["app_values"]);
    const text = "a reinstall has another value here than the app had before it was uninstalled with its data kept";
    findings.add("CHECK_REINSTALL_FAILED", text, changed?.path ?? ["app_values"]);
  } finally {
    await world.close();
  }
}

/** Uninstalls an app with its data: the host is as it was, but for what a person may go back to. */
export async function leaveWhole(app: PlayedApp, setting: LevelSetting, findings: Findings): Promise<Coverage | null> {
  const { appId } = app;
  const dictionary: Dictionary = { ...app.dictionary, hooks: [], widgets: [] };
  const world = await setting.worlds.open({ ...app, dictionary }, NO_TABLE);
  try {
    await putOwnersData(world);
    const before = lookAtHost(world);
    const request = buildInstallRequest(dictionary, createSeededRandom(setting.seed));
    const installed = await install(world, appId, request, setting);
    if (installed !== null) {
      tellNotInstalled(findings, installed);
      return null;
    }
    await putAppData(world, appId);
    const made = findAdded(before, lookAtHost(world));
    const task = await uninstall(world, appId, { keepData: false }, setting, findings);
    if (task === null) return null;
    const after = lookAtHost(world);
    const declared = resolveDeclared(dictionary, await world.host.facts(), request.answers ?? {});
    for (const { kind, at } of findChanged(before, after)) {
      const text = `the ${kind} "${at}" was there before the app, and is gone or changed after its uninstall`;
      findings.add("CHECK_DATA_LOST", text, placeDirectory(declared, at));
    }
    const left = findAdded(before, after);
    const excused = left.map((trace) => [trace, excuse(trace, task)] as const);
    const wrong = excused.flatMap(([trace, why]) => (why === null ? [trace] : []));
    for (const { kind, at } of wrong.filter((one) => !wrong.some((other) => isInside(one, other)))) {
      const text = `the ${kind} "${at}" is left of the app after an uninstall with its data`;
      findings.add("CHECK_LEFT_BEHIND", text, placeDirectory(declared, at));
    }
    return {
      of: "traces",
      reached: made.length - left.length,
      all: made.length,
      missed: excused.flatMap(([{ kind, at }, why]) => (why === null ? [] : [`${kind} ${at}: ${why}`])),
    };
  } finally {
    await world.close();
  }
}

function tellNotInstalled(findings: Findings, { why }: NotInstalled): void {
  findings.add("CHECK_INSTALL_FAILED", `the install is not done: ${why}`, []);
}

async function readValues({ host }: Pick<World, "host">, appId: string) {
  const app = (await host.apps()).find((one) => one.appId === appId);
  return app === undefined ? {} : host.appConfig(app.name);
}

function isInside({ at }: Trace, other: Trace): boolean {
  return at !== other.at && isAtOrBelow(at, other.at);
}
