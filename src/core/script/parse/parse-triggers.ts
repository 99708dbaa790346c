/** When a hook fires: the events of both dialects in one normal form. */
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import { type HookTrigger, LIFECYCLE_EVENTS, type LifecycleTrigger } from "../dictionary.ts";
import { dropUndefined, matchMember, readList, readObject, readText } from "./read-fields.ts";

/** The one trigger of a version 5 hook; none where its event is not known. */
export function readTrigger5(hook: JsonObject): readonly LifecycleTrigger[] {
  const event = matchMember(LIFECYCLE_EVENTS, readText(hook, "event"));
  if (event === undefined) return [];
  const condition = readObject(hook, "condition");
  if (condition === undefined || !isUpgrade(event)) return [{ event }];
  return [
    dropUndefined({ event, from: readText(condition, "fromVersionRange"), to: readText(condition, "toVersionRange") }),
  ];
}

/** The recognised entries of `events`, each once; absent means `[userAction]` (docs/install-scripts.md, "Hook6"). */
export function readTriggers(events: Json | undefined): readonly HookTrigger[] {
  if (events === undefined) return [{ event: "userAction" }];
  const triggers: HookTrigger[] = [];
  const seen = new Set<string>();
  for (const entry of readList({ events }, "events")) {
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
    const event = matchMember(LIFECYCLE_EVENTS, entry);
    return event && { event };
  }
  if (!isJsonObject(entry)) return undefined;
  const event = matchMember(LIFECYCLE_EVENTS, readText(entry, "event"));
  if (event === undefined) return undefined;
  return dropUndefined({ event, from: readText(entry, "from"), to: readText(entry, "to") });
}

/** Whether an event belongs to an upgrade. */
export function isUpgrade(event: HookTrigger["event"]): boolean {
  return event === "onBeforeUpgrade" || event === "onAfterUpgrade";
}
