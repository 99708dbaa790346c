/** Which hooks stay: an error drops its hook, and a dropped hook drops those that require it. */
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { readList, readText } from "../script/parse/read-fields.ts";
import { findCircles } from "./circles.ts";
import { type Diagnostic, findCarrier, type UncodedDiagnostic } from "./diagnostic.ts";
import type { DiagnosticList } from "./diagnostic-list.ts";
import type { Dialect } from "./field-issue.ts";
import { quote } from "./row.ts";
import { listRequired, REQUIRE_RULES, type RequiringSubject } from "./rows/relation-rules.ts";
import { runRules } from "./run-rules.ts";

const checkRequires = runRules<RequiringSubject, UncodedDiagnostic>(REQUIRE_RULES);

/** Drops hooks with errors, and (version 6) those that require a dropped one, again and again; adds the diagnostics. */
export function keepHooks(script: JsonObject, dialect: Dialect, diagnostics: DiagnosticList): readonly number[] {
  const all = readList(script, "hooks");
  const dropped = findDroppedIndexes(diagnostics.kept, "hook");
  const requiring = new Map<string, number[]>();
  const graph = new Map<string, readonly string[]>();
  const kept = new Set<string>();
  for (const [index, hook] of all.entries()) {
    const id = isJsonObject(hook) ? readText(hook, "id") : undefined;
    if (!isJsonObject(hook) || id === undefined) continue;
    const required = dialect === 6 ? listRequired(hook).map((entry) => entry.id) : [];
    // Of two hooks with one id the first counts.
    if (!graph.has(id)) graph.set(id, required);
    if (!dropped.has(index)) kept.add(id);
    for (const other of required) addTo(requiring, other, index);
  }
  const circles = requiring.size === 0 ? new Map<string, number>() : findCircles(graph);
  const declared = new Set(graph.keys());
  const reported = new Set<string>();
  const checkOne = (index: number): readonly Diagnostic[] => {
    const hook = all[index];
    if (!isJsonObject(hook)) return [];
    const name = `hook ${quote(readText(hook, "id") ?? index)}`;
    return checkRequires({ path: ["hooks", index], hook, name, kept, declared, circles });
  };
  // Rounds: all hooks are judged before any is dropped, then those that require a dropped one again.
  for (let round = requiring.size === 0 ? [] : [...all.keys()]; round.length > 0; ) {
    const found = round.flatMap(checkOne).filter(({ path }) => {
      const place = JSON.stringify(path);
      return !reported.has(place) && reported.add(place);
    });
    diagnostics.addAll(found);
    const newly = [...findDroppedIndexes(found, "hook")].filter((index) => !dropped.has(index));
    round = newly.flatMap((index) => {
      const hook = all[index];
      const id = isJsonObject(hook) ? readText(hook, "id") : undefined;
      dropped.add(index);
      if (id === undefined) return [];
      kept.delete(id);
      return requiring.get(id) ?? [];
    });
  }
  return [...all.keys()].filter((index) => !dropped.has(index));
}

/** Indexes of the hooks or widgets that have an error. */
export function findDroppedIndexes(diagnostics: readonly Diagnostic[], kind: "hook" | "widget"): Set<number> {
  const dropped = new Set<number>();
  for (const { severity, path } of diagnostics) {
    const carrier = findCarrier(path);
    if (severity === "error" && carrier.kind === kind) dropped.add(carrier.index);
  }
  return dropped;
}

function addTo(lists: Map<string, number[]>, key: string, item: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
