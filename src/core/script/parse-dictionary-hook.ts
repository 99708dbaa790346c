import { effectiveSurfaces } from "../hooks/surfaces.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import {
  type FileTarget,
  type Hook,
  type HookInput,
  type HookTrigger,
  LIFECYCLE_EVENTS,
  type LifecycleTrigger,
  SURFACES,
  type Surface,
  type UserOptional,
} from "./dictionary.ts";
import { readConditions, readQuestion, readSource } from "./parse-dictionary-parts.ts";
import {
  dropUndefined,
  isTrueAt,
  listAt,
  memberOf,
  numberAt,
  objectAt,
  objectsAt,
  own,
  textAt,
  textsAt,
} from "./parse-dictionary-read.ts";
import { HOOK_KINDS, HOOK_RETRIES, HOOK_TIMEOUT, RERUNS } from "./script-words.ts";

/** Reads a hook of dialect 5 or 6 into the normal form. */
export function readHook(appId: string, dialect: 5 | 6, hook: JsonObject): Hook {
  return dialect === 5 ? readHook5(hook) : readHook6(appId, hook);
}

function readHook5(hook: JsonObject): Hook {
  const id = textAt(hook, "id") ?? "";
  const description = textAt(hook, "description");
  const title = description ?? id;
  return {
    dialect: 5,
    ...readCommon(hook, title),
    triggers: readTrigger5(hook),
    conditions: [],
    surfaces: [],
    requiresHooks: [],
  };
}

function readHook6(appId: string, hook: JsonObject): Hook {
  const title = textAt(hook, "title") ?? "";
  const triggers = readTriggers(own(hook, "events"));
  const conditions = readConditions(hook);
  const target = objectAt(hook, "target");
  const declared = own(hook, "surfaces") === undefined ? undefined : readSurfaces(hook);
  const optional = dropUndefined({
    kind: memberOf(HOOK_KINDS, textAt(hook, "kind")),
    rerun: memberOf(RERUNS, textAt(hook, "rerun")),
    target: target && readTarget(target),
  });
  return {
    dialect: 6,
    ...readCommon(hook, title),
    ...optional,
    triggers,
    conditions,
    surfaces: effectiveSurfaces(appId, dropUndefined({ triggers, conditions, target: optional.target, declared })),
    requiresHooks: textsAt(hook, "requiresHooks"),
  };
}

/** The fields both dialects share. */
function readCommon(hook: JsonObject, title: string) {
  const description = textAt(hook, "description");
  const userOptional = objectAt(hook, "userOptional");
  return {
    ...dropUndefined({
      description,
      userOptional: userOptional && readUserOptional(userOptional, title, description),
    }),
    id: textAt(hook, "id") ?? "",
    title,
    optional: isTrueAt(hook, "optional"),
    inputs: objectsAt(hook, "inputs").map(readInput),
    source: readSource(hook),
    entrypoint: textAt(hook, "entrypoint") ?? "",
    timeout: Math.min(numberAt(hook, "timeout") ?? HOOK_TIMEOUT.default, HOOK_TIMEOUT.max),
    retries: Math.min(numberAt(hook, "retries") ?? HOOK_RETRIES.default, HOOK_RETRIES.max),
  };
}

function readTrigger5(hook: JsonObject): readonly LifecycleTrigger[] {
  const event = memberOf(LIFECYCLE_EVENTS, textAt(hook, "event"));
  if (event === undefined) return [];
  const condition = objectAt(hook, "condition");
  if (condition === undefined || !isUpgrade(event)) return [{ event }];
  return [
    dropUndefined({ event, from: textAt(condition, "fromVersionRange"), to: textAt(condition, "toVersionRange") }),
  ];
}

/** The recognised entries of `events`, each once; absent means `[userAction]` (docs/install-scripts.md, "Hook6"). */
export function readTriggers(events: Json | undefined): readonly HookTrigger[] {
  if (events === undefined) return [{ event: "userAction" }];
  const triggers: HookTrigger[] = [];
  const seen = new Set<string>();
  for (const entry of listAt({ events }, "events")) {
    const trigger = readTrigger(entry);
    if (trigger === undefined) continue;
    const same = JSON.stringify(trigger);
    if (!seen.has(same)) triggers.push(trigger);
    seen.add(same);
  }
  return triggers;
}

function readTrigger(entry: Json): HookTrigger | undefined {
  if (entry === "userAction") return { event: "userAction" };
  if (typeof entry === "string") {
    const event = memberOf(LIFECYCLE_EVENTS, entry);
    return event && { event };
  }
  if (!isJsonObject(entry)) return undefined;
  const event = memberOf(LIFECYCLE_EVENTS, textAt(entry, "event"));
  if (event === undefined) return undefined;
  return dropUndefined({ event, from: textAt(entry, "from"), to: textAt(entry, "to") });
}

/** Whether an event belongs to an upgrade. */
export function isUpgrade(event: HookTrigger["event"]): boolean {
  return event === "onBeforeUpgrade" || event === "onAfterUpgrade";
}

function readSurfaces(hook: JsonObject): readonly Surface[] {
  return textsAt(hook, "surfaces").flatMap((surface) => memberOf(SURFACES, surface) ?? []);
}

function readTarget(target: JsonObject): FileTarget {
  return {
    ...dropUndefined({ maxFiles: numberAt(target, "maxFiles") }),
    type: "files",
    accepts: textsAt(target, "accepts"),
    requiresTargetMount: own(target, "requiresTargetMount") !== false,
  };
}

function readUserOptional(userOptional: JsonObject, title: string, description: string | undefined): UserOptional {
  const link = objectAt(userOptional, "link");
  return dropUndefined({
    label: textAt(userOptional, "label") ?? title,
    description: textAt(userOptional, "description") ?? description,
    default: own(userOptional, "default") !== false,
    link: link && { url: textAt(link, "url") ?? "", label: textAt(link, "label") ?? "" },
  });
}

function readInput(input: JsonObject): HookInput {
  const id = textAt(input, "id") ?? "";
  if (textAt(input, "type") === "question") {
    return { type: "question", id, question: readQuestion(objectAt(input, "question") ?? {}) };
  }
  const flow = objectAt(input, "flow") ?? {};
  const headers = objectAt(flow, "headers") ?? {};
  return {
    ...dropUndefined({ description: textAt(input, "description") }),
    type: "oauth",
    id,
    name: textAt(input, "name") ?? "",
    provider: textAt(input, "provider") ?? "",
    flow: {
      type: "pin",
      pinUrl: textAt(flow, "pinUrl") ?? "",
      authUrl: textAt(flow, "authUrl") ?? "",
      pollUrl: textAt(flow, "pollUrl") ?? "",
      clientId: textAt(flow, "clientId") ?? "",
      tokenField: textAt(flow, "tokenField") ?? "",
      headers: Object.fromEntries(Object.keys(headers).map((name) => [name, textAt(headers, name) ?? ""])),
    },
  };
}
