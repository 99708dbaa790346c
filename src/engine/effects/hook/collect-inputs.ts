import type { Json, JsonObject } from "../../../core/json/json.ts";
import type { HookInput } from "../../../core/script/dictionary.ts";
import type { TaskRow } from "../../ports/store.ts";
import { readHook } from "../../read-plan.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import type { StoredHook } from "../../stored-plan.ts";
import { givenName, inputName } from "../../vault/secrets.ts";
import { textParam } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";

/**
 * `hook.collectInputs {hookId}` -> `inputs.complete` or `inputs.missing {missing}`. A value given with the request comes
 * first, then one an ended required hook of this tree has (docs/decisions.md, section 5, "requiresHooks"); the rest is asked.
 */
export function collectInputsEffect(deps: EffectDeps): EffectHandler {
  const { store, masks } = deps;
  return {
    class: "idempotent",
    async perform(params, run) {
      const task = store.task(run.taskId);
      if (task === null) throw new Error(`task "${run.taskId}" is not stored`);
      const stored = readHook(store, run.rootId, task.appId, textParam(params, "hookId"));
      const found: Record<string, Json> = {};
      const missing: JsonObject[] = [];
      for (const input of stored.hook.inputs) {
        const name = inputName(run.taskId, input.id);
        if (store.secret(run.rootId, name) !== null) continue;
        const entry =
          store.secret(run.rootId, givenName(stored.appId, stored.hook.id, input.id)) ??
          handedOver(deps, run, task, stored, input);
        if (entry === null) missing.push(declarationOf(input));
        else found[name] = entry;
      }
      store.keepSecrets(run.rootId, found);
      masks.forget(run.rootId);
      return missing.length === 0 ? { type: "inputs.complete" } : { type: "inputs.missing", missing };
    },
  };
}

/** The value a required hook of the same app collected, matched by input id or by equal question key. */
function handedOver({ store }: EffectDeps, run: EffectRun, task: TaskRow, stored: StoredHook, input: HookInput): Json {
  const siblings = store
    .tree(run.rootId)
    .filter((row) => row.appId === task.appId && row.facts.state === "COMPLETED" && row.id !== task.id);
  for (const required of stored.hook.requiresHooks) {
    for (const sibling of siblings.filter((row) => row.hookId === required)) {
      const { hook } = readHook(store, run.rootId, task.appId, required);
      for (const theirs of hook.inputs) {
        if (!matches(theirs, input)) continue;
        const entry = store.secret(run.rootId, inputName(sibling.id, theirs.id));
        if (entry !== null) return entry;
      }
    }
  }
  return null;
}

function matches(theirs: HookInput, ours: HookInput): boolean {
  if (theirs.id === ours.id) return true;
  return theirs.type === "question" && ours.type === "question" && theirs.question.key === ours.question.key;
}

/** An input as the dialog shows it. */
function declarationOf(input: HookInput): JsonObject {
  if (input.type === "oauth") {
    const { id, name, description, provider } = input;
    return {
      id,
      type: "oauth",
      declared: { name, provider, ...(description !== undefined && { description }) },
    };
  }
  const question: JsonObject = JSON.parse(JSON.stringify(input.question));
  return { id: input.id, type: "question", declared: { question } };
}
