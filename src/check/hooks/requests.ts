/** What a person would give an app's lifecycles and hooks: every consent, defaults, generated answers for the rest. */
import { posix } from "node:path";
import type { Dictionary, Hook } from "../../core/script/dictionary.ts";
import type { ActionRequest, InstallRequest, UpgradeRequest } from "../../engine/api.ts";
import { writeBelow } from "../../files/write-below.ts";
import type { Random } from "../../standin/random.ts";
import { generateRequired } from "../trials/generate-answers.ts";
import { generateInputs } from "../trials/generate-inputs.ts";
import type { World } from "../world/worlds.ts";

/** An install with every consent given. */
export function buildInstallRequest({ hooks, questions }: Dictionary, random: Random): InstallRequest {
  const consents = hooks.filter(({ userOptional }) => userOptional !== undefined).map(({ id }) => [id, true]);
  return {
    answers: generateRequired(questions, random),
    consents: Object.fromEntries(consents),
    inputs: Object.fromEntries(hooks.map((hook) => [hook.id, generateInputs(hook, random)])),
  };
}

/** An upgrade, with inputs for the hooks that may run at it. */
export function buildUpgradeRequest({ hooks }: Dictionary, random: Random): UpgradeRequest {
  return {
    inputs: Object.fromEntries(hooks.filter(runsAtUpgrades).map((hook) => [hook.id, generateInputs(hook, random)])),
  };
}

/** Whether a hook runs before or after an upgrade. */
export function runsAtUpgrades({ triggers }: Hook): boolean {
  return triggers.some(({ event }) => event.endsWith("Upgrade"));
}

/** Whether a person can press a hook. */
export function isPressable({ triggers }: Hook): boolean {
  return triggers.some(({ event }) => event === "userAction");
}

/** A pressed action; null where it takes files and the app sees no folder in which one could lie. */
export async function buildActionRequest(
  appId: string,
  hook: Hook,
  world: Pick<World, "host" | "standin">,
  random: Random,
): Promise<ActionRequest | null> {
  const files = hook.target === undefined ? [] : await makeFile(appId, hook, world);
  if (hook.target !== undefined && files.length === 0) return null;
  const [surface] = hook.surfaces;
  return { inputs: generateInputs(hook, random), files, ...(surface !== undefined && { surface }) };
}

/** A file of a kind the hook takes, where the app sees it; host paths. */
async function makeFile(
  appId: string,
  { target }: Hook,
  { host, standin }: Pick<World, "host" | "standin">,
): Promise<readonly string[]> {
  const apps = await host.apps();
  const mounts = apps.find((app) => app.appId === appId)?.mounts ?? [];
  const [mount] = mounts.filter(({ hostPath }) => hostPath.startsWith("/mnt/"));
  if (mount === undefined) return [];
  const path = posix.join(mount.hostPath, `slipway-check${target?.accepts[0] ?? ""}`);
  writeBelow({ root: standin.dir, path, text: "made by slipway check\n", replaces: "file" });
  return [path];
}
