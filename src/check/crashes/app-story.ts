/** An app by itself: an install, every action a person can press, an upgrade where a hook runs at one, an update, and an uninstall with its data. */
import { listForeignApps } from "../../core/hooks/surfaces.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import {
  buildActionRequest,
  buildInstallRequest,
  buildUpgradeRequest,
  isPressable,
  runsAtUpgrades,
} from "../hooks/requests.ts";
import type { PlayedApp } from "../subject.ts";
import type { Story, StoryEnd } from "./story.ts";
import { NOT_THERE, type Undying } from "./undying.ts";

const MOST_RUNS = 16;

/** The whole life of an app. */
export function tellApp(app: PlayedApp, fake: AppTable, seed: number): Story {
  return {
    app,
    fake,
    beside: [],
    about: "",
    mostRuns: MOST_RUNS,
    dies: () => true,
    play: (person) => play(app, seed, person),
  };
}

async function play({ appId, dictionary }: PlayedApp, seed: number, person: Undying): Promise<StoryEnd> {
  const { standin } = person.world;
  const request = buildInstallRequest(dictionary, createSeededRandom(seed));
  await person.see((engine) => engine.install(appId, request));
  for (const hook of dictionary.hooks) {
    if (!isPressable(hook) || listForeignApps(appId, hook.conditions).length > 0) continue;
    if (hook.rerun === "refuse" && (await hasRun(hook.id, person))) continue;
    const action = await person.ask(async (_, host) =>
      buildActionRequest(appId, hook, { host, standin }, createSeededRandom(seed)),
    );
    if (action !== null) await person.see((engine) => engine.runAction(appId, hook.id, action));
  }
  if (dictionary.hooks.some(runsAtUpgrades) && standin.control.release(appId) !== undefined) {
    const upgrade = buildUpgradeRequest(dictionary, createSeededRandom(seed));
    await person.see((engine) => engine.upgrade(appId, upgrade));
  }
  await person.see((engine) => engine.update(appId, {}));
  const app = await person.readSettled(appId);
  if (app.state !== NOT_THERE) await person.see((engine) => engine.uninstall(appId, { keepData: false }));
  return { apps: [app], links: [], left: person.listTraces() };
}

async function hasRun(hookId: string, person: Undying): Promise<boolean> {
  return (await person.listTasks()).some((task) => task.hookId === hookId && task.state === "COMPLETED");
}
