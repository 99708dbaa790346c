import { deriveSurfaces } from "../../hooks/surfaces.ts";
import type { JsonObject } from "../../json/json.ts";
import { toPlainLine } from "../../report/plain-words.ts";
import {
  type FileTarget,
  type Hook,
  type HookInput,
  SURFACES,
  type Surface,
  type UserOptional,
} from "../dictionary.ts";
import { HOOK_KINDS, HOOK_RETRIES, HOOK_TIMEOUT, RERUNS } from "../script-words.ts";
import { readConditions, readQuestion, readSource } from "./parse-parts.ts";
import { readTrigger5, readTriggers } from "./parse-triggers.ts";
import {
  dropUndefined,
  getOwn,
  isTrueAt,
  matchMember,
  readNumber,
  readObject,
  readObjects,
  readText,
  readTexts,
} from "./read-fields.ts";

/** Reads a hook of dialect 5 or 6 into the normal form. */
export function readHook(appId: string, dialect: 5 | 6, hook: JsonObject): Hook {
  return dialect === 5 ? readHook5(hook) : readHook6(appId, hook);
}

function readHook5(hook: JsonObject): Hook {
  const id = readText(hook, "id") ?? "";
  const description = readText(hook, "description");
  // An id is a name elsewhere, and shown here only.
  const title = description ?? toPlainLine(id);
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
  const title = readText(hook, "title") ?? "";
  const triggers = readTriggers(getOwn(hook, "events"));
  const conditions = readConditions(hook);
  const target = readObject(hook, "target");
  const declared = getOwn(hook, "surfaces") === undefined ? undefined : readSurfaces(hook);
  const optional = dropUndefined({
    kind: matchMember(HOOK_KINDS, readText(hook, "kind")),
    rerun: matchMember(RERUNS, readText(hook, "rerun")),
    target: target && readTarget(target),
  });
  return {
    dialect: 6,
    ...readCommon(hook, title),
    ...optional,
    triggers,
    conditions,
    surfaces: deriveSurfaces(appId, dropUndefined({ triggers, conditions, target: optional.target, declared })),
    requiresHooks: readTexts(hook, "requiresHooks"),
  };
}

/** The fields both dialects share. */
function readCommon(hook: JsonObject, title: string) {
  const description = readText(hook, "description");
  const userOptional = readObject(hook, "userOptional");
  return {
    ...dropUndefined({
      description,
      userOptional: userOptional && readUserOptional(userOptional, title, description),
    }),
    id: readText(hook, "id") ?? "",
    title,
    optional: isTrueAt(hook, "optional"),
    inputs: readObjects(hook, "inputs").map(readInput),
    source: readSource(hook),
    entrypoint: readText(hook, "entrypoint") ?? "",
    timeout: Math.min(readNumber(hook, "timeout") ?? HOOK_TIMEOUT.default, HOOK_TIMEOUT.max),
    retries: Math.min(readNumber(hook, "retries") ?? HOOK_RETRIES.default, HOOK_RETRIES.max),
  };
}

function readSurfaces(hook: JsonObject): readonly Surface[] {
  return readTexts(hook, "surfaces").flatMap((surface) => matchMember(SURFACES, surface) ?? []);
}

function readTarget(target: JsonObject): FileTarget {
  return {
    ...dropUndefined({ maxFiles: readNumber(target, "maxFiles") }),
    type: "files",
    accepts: readTexts(target, "accepts"),
    requiresTargetMount: getOwn(target, "requiresTargetMount") !== false,
  };
}

function readUserOptional(userOptional: JsonObject, title: string, description: string | undefined): UserOptional {
  const link = readObject(userOptional, "link");
  return dropUndefined({
    label: readText(userOptional, "label") ?? title,
    description: readText(userOptional, "description") ?? description,
    default: getOwn(userOptional, "default") !== false,
    link: link && { url: readText(link, "url") ?? "", label: readText(link, "label") ?? "" },
  });
}

function readInput(input: JsonObject): HookInput {
  const id = readText(input, "id") ?? "";
  if (readText(input, "type") === "question") {
    return { type: "question", id, question: readQuestion(readObject(input, "question") ?? {}) };
  }
  const flow = readObject(input, "flow") ?? {};
  const headers = readObject(flow, "headers") ?? {};
  return {
    ...dropUndefined({ description: readText(input, "description") }),
    type: "oauth",
    id,
    name: readText(input, "name") ?? "",
    provider: readText(input, "provider") ?? "",
    flow: {
      type: "pin",
      pinUrl: readText(flow, "pinUrl") ?? "",
      authUrl: readText(flow, "authUrl") ?? "",
      pollUrl: readText(flow, "pollUrl") ?? "",
      clientId: readText(flow, "clientId") ?? "",
      tokenField: readText(flow, "tokenField") ?? "",
      headers: Object.fromEntries(Object.keys(headers).map((name) => [name, readText(headers, name) ?? ""])),
    },
  };
}
