import { type Json, type JsonObject, toJsonObject } from "../../../core/json/json.ts";
import type { HookInput } from "../../../core/script/dictionary.ts";
import { readHook } from "../../read-plan.ts";
import type { EffectHandler } from "../../runtime/effect.ts";
import { type CarriedInput, listCarriedInputs } from "../../vault/carried-inputs.ts";
import { toGivenName, toInputName } from "../../vault/secrets.ts";
import { readTextParam } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";

/**
 * `hook.collectInputs {hookId}` -> `inputs.complete` or `inputs.missing {missing}`, each with `{corrections}` where the hook has
 * questions. A value given with the request comes first, then one a required hook has collected (carried-inputs.ts); the
 * rest is asked. What required hooks collected beside that can be read as well, by input id or question key.
 */
export function collectInputsEffect(deps: EffectDeps): EffectHandler {
  const { store, masks } = deps;
  return {
    class: "idempotent",
    async perform(params, run) {
      const task = store.task(run.taskId);
      if (task === null) throw new Error(`task "${run.taskId}" is not stored`);
      const { appId, hook, generated = [] } = readHook(store, run.rootId, task.appId, readTextParam(params, "hookId"));
      const carried = listCarriedInputs(store, task, hook);
      const found: Record<string, Json> = {};
      for (const { id, entry } of carried) found[toInputName(run.taskId, id)] ??= entry;
      for (const { key, entry } of carried) if (key !== undefined) found[toInputName(run.taskId, key)] ??= entry;
      const missing: JsonObject[] = [];
      for (const input of hook.inputs) {
        const name = toInputName(run.taskId, input.id);
        const entry =
          store.secret(run.rootId, name) ??
          store.secret(run.rootId, toGivenName(appId, hook.id, input.id)) ??
          carried.find((other) => matches(other, input))?.entry ??
          null;
        if (entry === null) missing.push(declarationOf(input, generated.includes(input.id)));
        else found[name] = entry;
      }
      store.keepSecrets(run.rootId, found);
      masks.forget(run.rootId);
      const corrections = hook.inputs.flatMap(listCorrection);
      const corrected = corrections.length > 0 && { corrections };
      return missing.length === 0
        ? { type: "inputs.complete", ...corrected }
        : { type: "inputs.missing", missing, ...corrected };
    },
  };
}

function matches({ id, key }: CarriedInput, ours: HookInput): boolean {
  return id === ours.id || (ours.type === "question" && key === ours.question.key);
}

/** An input as the dialog shows it; a generated default is a secret, and taken where nothing is given. */
function declarationOf(input: HookInput, generated: boolean): JsonObject {
  if (input.type === "oauth") {
    const { id, name, description, provider } = input;
    return {
      id,
      type: "oauth",
      declared: { name, provider, ...(description !== undefined && { description }) },
    };
  }
  const { default: offered, ...asked } = input.question;
  const question: JsonObject = JSON.parse(
    JSON.stringify({ ...asked, ...(generated ? { generated } : offered !== undefined && { default: offered }) }),
  );
  return { id: input.id, type: "question", declared: { question } };
}

const YES_OR_NO = [
  { text: "Yes", value: true },
  { text: "No", value: false },
];

/** A question as it is asked after a failure: leaving it out keeps its answer. */
function listCorrection(input: HookInput): readonly JsonObject[] {
  if (input.type !== "question") return [];
  const { default: _, ...question } = input.question;
  // an untouched checkbox would look like a "no"
  const shown = question.type === "boolean" ? { ...question, type: "select", options: YES_OR_NO } : question;
  const declared = toJsonObject({ question: { ...shown, required: false, isSet: true } });
  return [{ id: input.id, type: input.type, declared }];
}
