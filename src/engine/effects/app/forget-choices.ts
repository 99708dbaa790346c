import type { EffectRun } from "../../runtime/effect.ts";
import { noteDataRemoved } from "../../runtime/installations.ts";
import { TOLD } from "../../schedule/told-versions.ts";
import { TRAIN } from "../../separate-trains.ts";
import { LAST_SCRIPT } from "../../surfaces/last-scripts.ts";
import { toCollectedName } from "../../vault/carried-inputs.ts";
import { CHOICES, INPUT_RANDOMS, LEFT, PASSWORDS } from "../../vault/kept-choices.ts";
import { redactEndedTrees, redactTree } from "../../vault/redact-trees.ts";
import { ASIDE, POINTS } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";

/** Settings of an app that fit its data: without it they are of no use to anybody. */
const FORGOTTEN = [
  ...CHOICES,
  PASSWORDS,
  INPUT_RANDOMS,
  LEFT,
  "offer",
  POINTS,
  ASIDE,
  TOLD,
  TRAIN,
  LAST_SCRIPT,
] as const;

/**
 * Forgets what an app keeps between its tasks, and what the plans of those that are over hold of it: the next install
 * begins anew, with other secrets. The plans come first, in portions, and all the rest at once: where it is cancelled or
 * killed between, the app keeps what it had. Rejects when the signal aborts.
 */
export async function forgetChoices(
  { store, clock }: Pick<EffectDeps, "store" | "clock">,
  appId: string,
  { taskId, rootId, signal }: Pick<EffectRun, "taskId" | "rootId" | "signal">,
): Promise<void> {
  await redactEndedTrees(store, appId, signal);
  const hooks = store.runs(appId).flatMap(({ hookId }) => hookId ?? []);
  const names = [...FORGOTTEN, ...hooks.map(toCollectedName)];
  store.keepSettings(appId, Object.fromEntries(names.map((name) => [name, null])));
  redactTree(store, rootId, appId);
  noteDataRemoved(store, appId, taskId, clock.now());
}
