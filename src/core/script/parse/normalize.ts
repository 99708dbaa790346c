/** Raw script to normal form, for a script without errors of its own: versions 4, 5 and 6 become one shape. */
import coerce from "semver/functions/coerce.js";
import valid from "semver/functions/valid.js";
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import {
  type AppMetadata,
  type Dictionary,
  type DirectoryEntry,
  type DroppedHook,
  type DroppedParts,
  LIFECYCLE_EVENTS,
  type Requirements,
  type ScriptVersion,
} from "../dictionary.ts";
import { MAX_ID } from "../script-words.ts";
import { readHook } from "./parse-hook.ts";
import { readQuestion } from "./parse-parts.ts";
import { readWidget } from "./parse-widget.ts";
import {
  dropUndefined,
  getOwn,
  isTrueAt,
  readList,
  readNumber,
  readObject,
  readObjects,
  readText,
  readTexts,
} from "./read-fields.ts";

/** Which hooks and widgets of a script stay, by index of declaration. */
export interface Kept {
  readonly hooks: readonly number[];
  readonly widgets: readonly number[];
}

/** Reads the normal form; hooks and widgets not in `kept` are left out. */
export function readDictionary(appId: string, script: JsonObject, kept: Kept): Dictionary {
  const version = readDialect(script) ?? 4;
  const hooks =
    version === 4 ? [] : pick(readList(script, "hooks"), kept.hooks).map((hook) => readHook(appId, version, hook));
  const metadata = readObject(script, "metadata");
  const dropped = readDropped(appId, version, script, kept);
  return {
    appId,
    version,
    custom: isTrueAt(script, "custom"),
    internal: isTrueAt(script, "internal"),
    ...(metadata === undefined ? {} : { metadata: readMetadata(metadata) }),
    script: readScriptVersion(readObject(script, "script") ?? {}),
    requirements: readRequirements(readObject(script, "requirements") ?? {}),
    questions: readObjects(script, "installation_questions").map(readQuestion),
    directories: readObjects(script, "ensure_directories_exists").map(readDirectory),
    appValues: readObject(script, "app_values") ?? {},
    hooks,
    widgets: readsWidgets(script)
      ? pick(readList(script, "widgets"), kept.widgets).map((widget) => readWidget(widget, hooks))
      : [],
    ...(dropped.hooks.length + dropped.widgets > 0 && { dropped }),
  };
}

/** The supported dialect a script is written in, or null. */
export function readDialect(script: JsonObject): 4 | 5 | 6 | null {
  const version = readNumber(script, "version");
  return version === 4 || version === 5 || version === 6 ? version : null;
}

/** Whether a script's widgets are read at all (docs/install-scripts.md, "Versions"). */
export function readsWidgets(script: JsonObject): boolean {
  return readNumber(script, "version") === 6 && readNumber(script, "widgetsSchema") === 2;
}

function pick(items: readonly Json[], indexes: readonly number[]): readonly JsonObject[] {
  const wanted = new Set(indexes);
  return items.filter((_, index) => wanted.has(index)).filter(isJsonObject);
}

function readDropped(appId: string, version: 4 | 5 | 6, script: JsonObject, kept: Kept): DroppedParts {
  const stay = new Set(kept.hooks);
  const hooks = version === 4 ? [] : readList(script, "hooks");
  return {
    hooks: hooks.flatMap((hook, index) => (stay.has(index) ? [] : [readDroppedHook(appId, hook, index)])),
    widgets: readsWidgets(script) ? readList(script, "widgets").length - kept.widgets.length : 0,
  };
}

function readDroppedHook(appId: string, hook: Json, index: number): DroppedHook {
  const unnamed = `hooks.${index}`;
  if (!isJsonObject(hook)) return { id: unnamed, connects: false };
  const namesApp = readObjects(hook, "conditions").some((condition) => {
    const app = readText(condition, "app");
    return app !== undefined && app !== appId;
  });
  const connects = namesApp && !FIRES.some((field) => namesLifecycle(getOwn(hook, field)));
  const id = readText(hook, "id") ?? "";
  return { id: id === "" || id.length > MAX_ID ? unnamed : id, connects };
}

/** Fields that say when a hook fires, also those of the other dialect and the mistaken one. */
const FIRES = ["events", "event", "triggers"];

function namesLifecycle(value: Json | undefined): boolean {
  if (typeof value === "string") return LIFECYCLE_EVENTS.some((event) => event === value);
  if (Array.isArray(value)) return value.some((entry) => namesLifecycle(entry));
  return value !== undefined && isJsonObject(value) && namesLifecycle(getOwn(value, "event"));
}

function readMetadata(metadata: JsonObject): AppMetadata {
  return {
    name: readText(metadata, "name") ?? "",
    description: readText(metadata, "description") ?? "",
    icon: readText(metadata, "icon") ?? "",
    version: readText(metadata, "version") ?? "",
  };
}

/** The `script` object of a script; its version completed where it is not whole, `0.0.0` where it is none. */
export function readScriptVersion(script: JsonObject): ScriptVersion {
  const written = readText(script, "version") ?? "";
  return dropUndefined({
    version: valid(written) ?? coerce(written)?.version ?? "0.0.0",
    updateCompatibility: readText(script, "updateCompatibility"),
    changeLog: readText(script, "changeLog"),
  });
}

function readRequirements(requirements: JsonObject): Requirements {
  return {
    locations: readTexts(requirements, "locations"),
    specifications: readTexts(requirements, "specifications"),
    permissions: readTexts(requirements, "permissions"),
    ports: readList(requirements, "ports").filter((port) => typeof port === "number"),
  };
}

function readDirectory(entry: JsonObject): DirectoryEntry {
  const owner = readObject(entry, "owner");
  const user = owner === undefined ? readText(entry, "owner") : readText(owner, "user");
  const snapshot = readObject(entry, "snapshot");
  return dropUndefined({
    path: readText(entry, "path") ?? "",
    networkShare: isTrueAt(entry, "network_share"),
    owner: user === undefined ? undefined : dropUndefined({ user, group: owner && readText(owner, "group") }),
    snapshot: snapshot === undefined ? undefined : { id: readText(snapshot, "id") ?? "" },
  });
}
