/**
 * Runs the rule table over a script and says what is dropped.
 *
 * Invariants:
 * 1. An error drops its carrier and nothing else: a hook, a widget, or the script itself.
 * 2. The diagnostics do not depend on the order of the rows, and every row that applies is run.
 */

import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import { checkMacros } from "../macros/check.ts";
import { type Kept, readDialect, readsWidgets } from "../script/parse/normalize.ts";
import { readHook } from "../script/parse/parse-hook.ts";
import { getOwn, readList, readText } from "../script/parse/read-fields.ts";
import { checkFields } from "./check-fields.ts";
import { type Diagnostic, findCarrier, type UncodedDiagnostic } from "./diagnostic.ts";
import { DiagnosticList } from "./diagnostic-list.ts";
import type { Dialect } from "./field-issue.ts";
import { listHookSubjects } from "./hook-subject.ts";
import { findDroppedIndexes, keepHooks } from "./keep-hooks.ts";
import { quote } from "./row.ts";
import { CARRIER_RULES, type CarrierSubject } from "./rows/carrier-rules.ts";
import { HOOK_RULES } from "./rows/hook-rules.ts";
import { BUTTON_RULES, LIST_RULES } from "./rows/relation-rules.ts";
import { GATE_RULES, NAME_RULE, SCRIPT_RULES, type SupportedScript } from "./rows/script-rules.ts";
import { SHOWN_TEXT_RULES } from "./rows/shown-text-rules.ts";
import { UNUSED_RULES } from "./rows/unused-rules.ts";
import { WIDGET_RULES } from "./rows/widget-rules.ts";
import { runRules } from "./run-rules.ts";

export interface Examination {
  readonly diagnostics: DiagnosticList;
  /** Which hooks and widgets stay; null when the script itself is refused. */
  readonly kept: Kept | null;
}

const checkGate = runRules(GATE_RULES);
const checkName = runRules(NAME_RULE);
const checkScript = runRules<SupportedScript, UncodedDiagnostic>(SCRIPT_RULES);
const checkShownTexts = runRules<SupportedScript, UncodedDiagnostic>(SHOWN_TEXT_RULES);
const checkUnused = runRules<SupportedScript, UncodedDiagnostic>(UNUSED_RULES);
const checkHook = runRules(HOOK_RULES);
const checkCarrier = runRules(CARRIER_RULES);
const checkWidget = runRules<CarrierSubject, UncodedDiagnostic>(WIDGET_RULES);
const checkList = runRules(LIST_RULES);
const checkButtons = runRules(BUTTON_RULES);

/** Runs the whole rule table; `extra` diagnostics (of script files) drop their carriers like any other. */
export function validate(appId: string, value: Json, extra: DiagnosticList): Examination {
  const diagnostics = new DiagnosticList();
  diagnostics.addAll(checkGate({ appId, value }));
  const dialect = isJsonObject(value) ? readDialect(value) : null;
  if (!isJsonObject(value) || dialect === null) {
    diagnostics.addList(extra);
    return { diagnostics, kept: null };
  }
  const script: JsonObject = value;
  diagnostics.addAll(checkName({ appId, script, dialect }));
  checkFields(script, dialect, diagnostics);
  diagnostics.addAll(checkScript({ appId, script, dialect }));
  diagnostics.addAll(checkShownTexts({ appId, script, dialect }));
  diagnostics.addList(checkMacros(script));
  const faulty = new Set(
    diagnostics.kept.flatMap(({ severity, path }) => (severity === "error" ? toPlaceKey(path) : [])),
  );
  diagnostics.addAll(checkUnused({ appId, script, dialect }).filter(({ path }) => !faulty.has(toPlaceKey(path))));
  checkHooksAlone(appId, dialect, script, diagnostics);
  checkWidgetsAlone(script, diagnostics);
  diagnostics.addList(extra);
  // With more problems than are kept the script is refused: which of its hooks would stay does not matter.
  if (diagnostics.rest > 0) return { diagnostics, kept: null };
  const hooks = dialect === 4 ? [] : keepHooks(script, dialect, diagnostics);
  const dropped = findDroppedIndexes(diagnostics.kept, "widget");
  const widgets = readsWidgets(script)
    ? [...readList(script, "widgets").keys()].filter((index) => !dropped.has(index))
    : [];
  diagnostics.addAll(checkAllButtons(appId, script, hooks, widgets));
  const refused = diagnostics.kept.some(
    ({ severity, path }) => severity === "error" && findCarrier(path).kind === "script",
  );
  return { diagnostics, kept: refused ? null : { hooks, widgets } };
}

/** Of an entry of a list, from any place in it: what is wrong with it comes before what nobody uses. */
function toPlaceKey([list, index]: JsonPath): string {
  return `${list} ${index}`;
}

function checkHooksAlone(appId: string, dialect: Dialect, script: JsonObject, diagnostics: DiagnosticList): void {
  if (dialect === 4) return;
  for (const subject of listHookSubjects(appId, dialect, script)) {
    diagnostics.addAll(checkHook(subject));
    const conditions = dialect === 6 ? readList(subject.hook, "conditions") : [];
    diagnostics.addAll(checkCarrier({ path: subject.path, carrier: subject.hook, conditions, name: subject.name }));
  }
  diagnostics.addAll(checkList({ list: "hooks", script }));
}

function checkWidgetsAlone(script: JsonObject, diagnostics: DiagnosticList): void {
  if (!readsWidgets(script)) return;
  for (const [index, carrier] of readList(script, "widgets").entries()) {
    if (!isJsonObject(carrier)) continue;
    const name = `widget ${quote(readText(carrier, "id") ?? index)}`;
    const subject = { path: ["widgets", index], carrier, conditions: readList(carrier, "conditions"), name };
    diagnostics.addAll(checkCarrier(subject));
    diagnostics.addAll(checkWidget(subject));
  }
  diagnostics.addAll(checkList({ list: "widgets", script }));
}

function checkAllButtons(
  appId: string,
  script: JsonObject,
  hooks: readonly number[],
  widgets: readonly number[],
): readonly Diagnostic[] {
  const buttons = readList(script, "widgets").some(
    (widget) => isJsonObject(widget) && getOwn(widget, "buttons") !== undefined,
  );
  if (!buttons) return [];
  const all = readList(script, "hooks");
  const declared = new Set(all.flatMap((hook) => (isJsonObject(hook) ? (readText(hook, "id") ?? []) : [])));
  const kept = new Map(
    hooks.flatMap((index) => {
      const hook = all[index];
      return isJsonObject(hook) ? [[readText(hook, "id") ?? "", readHook(appId, 6, hook)] as const] : [];
    }),
  );
  const refuse = (id: string): string | null => {
    const hook = kept.get(id);
    if (hook === undefined) return declared.has(id) ? "the hook is dropped" : "there is no such hook";
    if (!hook.triggers.some(({ event }) => event === "userAction")) return "a user can't start the hook";
    return hook.surfaces.includes("widget") ? null : 'its surfaces do not include "widget"';
  };
  return widgets.flatMap((index) => {
    const widget = readList(script, "widgets")[index];
    if (!isJsonObject(widget)) return [];
    return checkButtons({ path: ["widgets", index], widget, name: `widget ${quote(readText(widget, "id"))}`, refuse });
  });
}
