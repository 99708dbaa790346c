/**
 * Carry-over: what a hook collected is handed to the hooks that require it, so that nobody is asked twice.
 *
 * Invariants:
 * 1. Only a run that completed hands over: one of the same install, else the last one since the app was installed.
 * 2. What a later hook may need outlives its task, in the settings of the app.
 */
import { z } from "zod";
import { type Json, toJsonObject } from "../../core/json/json.ts";
import type { Hook } from "../../core/script/dictionary.ts";
import type { Store } from "../ports/store.ts";
import type { TaskRow } from "../ports/store-rows.ts";
import { readInstalledSince } from "../runtime/installations.ts";
import { listSecretTexts, toInputName } from "./secrets.ts";

/** One collected input of a required hook. */
export interface CarriedInput {
  readonly id: string;
  /** Key of its question; absent for a sign-in. */
  readonly key?: string;
  /** The vault entry. */
  readonly entry: Json;
}

type Vault = Pick<Store, "tree" | "task" | "secret" | "setting" | "keepSettings">;

/** Inputs collected by the hooks a task's hook requires, in the order it names them. */
export function listCarriedInputs(store: Vault, task: TaskRow, { requiresHooks }: Hook): readonly CarriedInput[] {
  if (requiresHooks.length === 0) return [];
  const siblings = store.tree(task.root).filter(({ appId }) => appId === task.appId);
  const isInstalling = siblings.some(({ kind }) => kind === "install");
  const since = readInstalledSince(store, task.appId);
  const countsAsRun = (run: TaskRow | null) =>
    run?.facts.state === "COMPLETED" && (isInstalling ? run.root === task.root : run.updated >= since);
  return requiresHooks.flatMap(
    (required) =>
      readKeptRuns(store, task.appId, required).find(({ taskId }) => countsAsRun(store.task(taskId)))?.inputs ?? [],
  );
}

/**
 * Keeps what a run begins with, for the hooks that require it: with the last run that completed, which still counts
 * where this one does not complete.
 */
export function keepForOthers(store: Vault, task: TaskRow, { id: hookId, inputs }: Hook): void {
  const earlier = readKeptRuns(store, task.appId, hookId).filter(
    ({ taskId }) => taskId !== task.id && store.task(taskId)?.facts.state === "COMPLETED",
  );
  const collected = inputs.flatMap((input): CarriedInput[] => {
    const entry = store.secret(task.root, toInputName(task.id, input.id));
    if (entry === null) return [];
    return [{ id: input.id, ...(input.type === "question" && { key: input.question.key }), entry }];
  });
  const { runs } = toJsonObject({ runs: [{ taskId: task.id, inputs: collected }, ...earlier.slice(0, 1)] });
  store.keepSettings(task.appId, { [toCollectedName(hookId)]: runs ?? [] });
}

/** Runs of a hook whose inputs are kept, newest first. */
const KeptRuns = z
  .array(
    z.object({
      taskId: z.string(),
      inputs: z.array(z.object({ id: z.string(), key: z.string().exactOptional(), entry: z.json() })),
    }),
  )
  .catch([]);

function readKeptRuns(store: Vault, appId: string, hookId: string): z.infer<typeof KeptRuns> {
  return KeptRuns.parse(store.setting(appId, toCollectedName(hookId)));
}

/** The passwords and tokens kept of a hook's runs. */
export function listCollectedSecrets(store: Pick<Store, "setting">, appId: string, hookId: string): readonly string[] {
  const runs = KeptRuns.parse(store.setting(appId, toCollectedName(hookId)));
  return runs.flatMap(({ inputs }) => inputs.flatMap(({ entry }) => listSecretTexts(entry)));
}

/** The setting of an app that holds what a hook of it collected. */
export function toCollectedName(hookId: string): string {
  return `collected:${hookId}`;
}
