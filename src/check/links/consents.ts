/** An install in which one consent is not given. */
import { listGates } from "../../core/hooks/consents.ts";
import type { Hook } from "../../core/script/dictionary.ts";
import { NO_TABLE } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import { describeError, describeFailure, type Findings } from "../findings.ts";
import { buildInstallRequest } from "../hooks/requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { readFake } from "../world/read-fake.ts";
import { listTasks, seeThrough } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";
import type { PlayableLink } from "./list-links.ts";

/** Installs an app with one consent off, beside what its links name: the hook and whatever requires it do not run. */
export async function withholdConsent(
  app: PlayedApp,
  consent: Hook,
  links: readonly PlayableLink[],
  setting: LevelSetting,
  findings: Findings,
): Promise<void> {
  const { dictionary, appId } = app;
  setting.doing(`an install without the consent "${consent.id}"`);
  const tell = (id: string | undefined, what: string): void => {
    const index = dictionary.hooks.findIndex((hook) => hook.id === (id ?? consent.id));
    findings.add("CHECK_CONSENT_NEEDED", `without the consent "${consent.id}" ${what}`, ["hooks", index]);
  };
  const gated = links.filter(({ hook }) => listGates(hook, dictionary.hooks).some(({ id }) => id === consent.id));
  const targets = new Map(gated.flatMap((link) => link.targets).map((target) => [target.appId, target]));
  const beside = [...targets.values()].map((target) => ({ app: target, fake: NO_TABLE }));
  const world = await setting.worlds.open(app, readFake(app.root, appId) ?? NO_TABLE, { beside });
  try {
    for (const target of targets.values()) if (!(await installTarget(world, target, setting))) return;
    const usual = buildInstallRequest(dictionary, createSeededRandom(setting.seed));
    const consents = { ...usual.consents, [consent.id]: false };
    const { id } = await world.engine.install(appId, { ...usual, consents, links: "default" });
    const task = await seeThrough(world.engine, id, () => "skip", setting.signal);
    if (task.state !== "COMPLETED") tell(undefined, `the install is ${describeFailure(task)}`);
    for (const one of listTasks(task)) {
      if (one.hookId === undefined || one.hookId === null) continue;
      const isOff = one.hookId === consent.id || gated.some(({ hook }) => hook.id === one.hookId);
      const fails = one.kind === "hook" && one.state !== "COMPLETED" && one.failure?.code !== "TASK_CONDITION_NOT_MET";
      if (isOff) tell(one.hookId, `the hook "${one.hookId}" runs all the same`);
      else if (fails) tell(one.hookId, `the hook "${one.hookId}" fails: ${describeFailure(one)}`);
    }
  } catch (error) {
    setting.signal.throwIfAborted();
    tell(undefined, `the install is refused: ${describeError(error)}`);
  } finally {
    await world.close();
  }
}

/** False where it can't be installed by itself. */
async function installTarget(
  { engine }: World,
  { appId, dictionary }: PlayedApp,
  setting: LevelSetting,
): Promise<boolean> {
  try {
    const { id } = await engine.install(appId, buildInstallRequest(dictionary, createSeededRandom(setting.seed)));
    return (await engine.settled(id, setting.signal)).state === "COMPLETED";
  } catch {
    setting.signal.throwIfAborted();
    return false;
  }
}
