/** The hook or widget of an app that is recorded, and what it gets to know. */
import { createAuthorCheck } from "../../adapters/catalog/file-check/author-check.ts";
import { listApps, readApp } from "../../check/read-apps.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { hasMacro } from "../../core/hooks/input-defaults.ts";
import type { Json } from "../../core/json/json.ts";
import type { Dictionary, Hook, HookInput } from "../../core/script/dictionary.ts";
import { ContextFile } from "../workbench/context-file.ts";
import type { Subject } from "../workbench/subject.ts";
import type { RealApp } from "./open-app.ts";

/** Names one script of an app. */
export interface ScriptChoice {
  readonly hook?: string;
  readonly widget?: string;
}

/** What is run, and the hook it is of; null for a widget. */
export interface RecordedScript {
  readonly root: string;
  readonly subject: Subject;
  readonly hook: Hook | null;
}

/**
 * Finds the script; where none is named, the only one there is. Throws `CLI_USAGE`, `CATALOG_UNREADABLE`, and
 * `TASK_SCRIPT_REFUSED {problems}`.
 */
export async function findRecordedScript(
  catalog: string,
  appId: string,
  choice: ScriptChoice,
): Promise<RecordedScript> {
  const { root, file, dictionary } = await readDictionary(catalog, appId);
  const { hook: hookId, widget: widgetId } = choice;
  if (hookId !== undefined && widgetId !== undefined)
    throw new EngineError("CLI_USAGE", "--hook or --widget, not both");
  const hooks =
    widgetId === undefined ? dictionary.hooks.filter(({ id }) => hookId === undefined || id === hookId) : [];
  const widgets =
    hookId === undefined ? dictionary.widgets.filter(({ id }) => widgetId === undefined || id === widgetId) : [];
  const [one, more] = [...hooks, ...widgets];
  if (one === undefined || more !== undefined) throw new EngineError("CLI_USAGE", describeChoice(dictionary, choice));
  const label = one.source.kind === "file" ? one.source.path : `${file}#${one.id}`;
  const { source, entrypoint, timeout } = one;
  const [hook = null] = hooks;
  const [widget] = widgets;
  const declared = widget && { dictionary, widget, folder: root };
  const subject = { place: { root, label }, source, entrypoint, timeout, ...(declared && { declared }) };
  return { root, subject, hook };
}

async function readDictionary(catalog: string, appId: string) {
  const listed = await listApps(catalog, [appId]);
  const check = createAuthorCheck();
  try {
    const [app] = await Promise.all(listed.map((each) => readApp(each, check)));
    const errors = app?.problems.filter(({ severity }) => severity === "error") ?? [];
    if (app?.dictionary && errors.length === 0) return { root: app.root, file: app.file, dictionary: app.dictionary };
    throw new EngineError("TASK_SCRIPT_REFUSED", `"${appId}" has errors`, {
      appId,
      file: app?.file ?? appId,
      problems: errors,
    });
  } finally {
    await check.close();
  }
}

function describeChoice({ appId, hooks, widgets }: Dictionary, { hook, widget }: ScriptChoice): string {
  const all = [...hooks.map(({ id }) => `--hook ${id}`), ...widgets.map(({ id }) => `--widget ${id}`)];
  const there = all.length === 0 ? "it has neither hooks nor widgets" : `there are ${all.join(", ")}`;
  if (hook !== undefined) return `"${appId}" has no hook "${hook}"; ${there}`;
  if (widget !== undefined) return `"${appId}" has no widget "${widget}"; ${there}`;
  return all.length === 0 ? `"${appId}" has nothing to record: ${there}` : `name what to record; ${there}`;
}

/**
 * The context a hook gets: what the author gave, and defaults of inputs left out; passwords and sign-ins are secrets. Throws
 * `CLI_USAGE` for a required input that has neither.
 */
export function completeContext(
  given: ContextFile,
  { baseUrl, address: host, port }: RealApp,
  appId: string,
  hook: Hook | null,
): ContextFile {
  const inputs = { ...Object.fromEntries(hook?.inputs.flatMap(readDefault) ?? []), ...given.inputs };
  const missing = hook?.inputs.find((input) => inputs[input.id] === undefined && isRequired(input));
  if (missing !== undefined) {
    throw new EngineError(
      "CLI_USAGE",
      `the input "${missing.id}" has no default: give it by --context, {"inputs": {"${missing.id}": ...}}`,
    );
  }
  const declared = hook?.inputs.filter((input) => isSecret(input) && inputs[input.id] !== undefined) ?? [];
  const secretInputs = [...new Set([...given.secretInputs, ...declared.map(({ id }) => id)])];
  const events = hook?.triggers.map(({ event }) => event) ?? [];
  const event = events.some((each) => each === given.event) ? given.event : (events[0] ?? given.event);
  const resourceId = given.resourceId === "app" ? appId : given.resourceId;
  return ContextFile.parse({ ...given, resourceId, event, baseUrl, host, port, inputs, secretInputs });
}

function readDefault(input: HookInput): readonly (readonly [string, Json])[] {
  if (input.type === "oauth" || hasMacro(input) || input.question.default === undefined) return [];
  return [[input.id, input.question.default]];
}

function isRequired(input: HookInput): boolean {
  return input.type === "oauth" || input.question.required === true;
}

function isSecret(input: HookInput): boolean {
  return input.type === "oauth" || input.question.type === "password";
}
