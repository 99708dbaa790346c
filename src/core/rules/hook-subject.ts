import { listForeignApps } from "../hooks/surfaces.ts";
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import { type Condition, type HookTrigger, LIFECYCLE_EVENTS } from "../script/dictionary.ts";
import { readConditions } from "../script/parse/parse-parts.ts";
import { isUpgrade, readTriggers } from "../script/parse/parse-triggers.ts";
import { getOwn, matchMember, readList, readText } from "../script/parse/read-fields.ts";
import type { Dialect } from "./field-issue.ts";
import { quote } from "./row.ts";

/** A hook as its rules look at it: raw fields beside what they mean. */
export interface HookSubject {
  readonly appId: string;
  readonly dialect: Dialect;
  readonly path: JsonPath;
  readonly hook: JsonObject;
  /** The hook for the start of a sentence, e.g. `hook "connect"`. */
  readonly name: string;
  /** Whether events were written and none of them is recognised: rules about events say nothing then. */
  readonly eventless: boolean;
  readonly triggers: readonly HookTrigger[];
  readonly user: boolean;
  readonly lifecycle: boolean;
  readonly install: boolean;
  readonly upgrade: boolean;
  readonly conditions: readonly Condition[];
  /** Other apps its conditions name. */
  readonly foreign: readonly string[];
}

/** Every hook of a script that is an object, as a subject. */
export function* listHookSubjects(appId: string, dialect: Dialect, script: JsonObject): Generator<HookSubject> {
  if (dialect === 4) return;
  for (const [index, hook] of readList(script, "hooks").entries()) {
    if (isJsonObject(hook)) yield createHookSubject(appId, dialect, hook, ["hooks", index]);
  }
}

function createHookSubject(appId: string, dialect: Dialect, hook: JsonObject, path: JsonPath): HookSubject {
  const triggers = dialect === 6 ? readTriggers6(hook) : readTriggers5(getOwn(hook, "event"));
  const has = (test: (event: HookTrigger["event"]) => boolean) => triggers.some(({ event }) => test(event));
  const conditions = dialect === 6 ? readConditions(hook) : [];
  return {
    appId,
    dialect,
    path,
    hook,
    name: `hook ${quote(readText(hook, "id") ?? path.at(-1))}`,
    eventless: triggers.length === 0,
    triggers,
    user: has((event) => event === "userAction"),
    lifecycle: has((event) => event !== "userAction"),
    install: has((event) => event === "onBeforeInstall" || event === "onAfterInstall"),
    upgrade: has(isUpgrade),
    conditions,
    foreign: listForeignApps(appId, conditions),
  };
}

/** None where the events stand under a key that is an error: what hangs on them is not judged. */
function readTriggers6(hook: JsonObject): readonly HookTrigger[] {
  const events = getOwn(hook, "events");
  const misnamed =
    events === undefined && (getOwn(hook, "triggers") !== undefined || getOwn(hook, "event") !== undefined);
  return misnamed ? [] : readTriggers(events);
}

function readTriggers5(event: Json | undefined): readonly HookTrigger[] {
  const known = typeof event === "string" ? matchMember(LIFECYCLE_EVENTS, event) : undefined;
  return known === undefined ? [] : [{ event: known }];
}
