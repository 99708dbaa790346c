/** The text form of `slipway plan`. */

import type { Problem } from "../../core/codes/problems.ts";
import type { Json, JsonPath } from "../../core/json/json.ts";
import { isJsonObject } from "../../core/json/json.ts";
import type { PlanDocument } from "../../core/plan/plan-document.ts";
import type { TraceEntry } from "../../core/plan/plan-trace.ts";
import { formatProblem } from "../../core/report/problem-text.ts";

/** A plan for a person: one paragraph per part, one line per value. */
export function renderPlan(file: string, source: string, document: PlanDocument): string {
  const paragraphs = [
    renderRequirements(document),
    renderQuestions(document),
    renderDirectories(document),
    renderValues(document),
    renderHooks(document),
    explainLines(document.explain ?? []),
    document.problems.map((problem) => renderProblem(file, source, problem)),
  ];
  const text = paragraphs.filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`);
  return [`${document.appId}\n`, ...text].join("\n");
}

function renderRequirements({ requirements }: PlanDocument): readonly string[] {
  if (requirements === null) return [];
  const { locations, advisory } = requirements;
  return [
    "requirements",
    ...locations.met.map((location) => `  ok       location ${location}`),
    ...locations.unmet.map((location) => `  missing  location ${location}`),
    ...advisory.flatMap(({ kind, required, met, found, hint }) => {
      const verdict = met === null ? "unknown" : met ? "ok     " : "unmet  ";
      const advice = hint === undefined ? [] : [`           hint: ${hint}`];
      return [`  ${verdict}  ${kind} ${required}: ${found}`, ...advice];
    }),
  ];
}

function renderQuestions({ form }: PlanDocument): readonly string[] {
  const questions = (form?.steps ?? []).flatMap(({ title, sections }) =>
    sections.flatMap((section) => section.questions.map((question) => ({ place: [title, section.title], question }))),
  );
  if (questions.length === 0) return [];
  return [
    "questions",
    ...questions.map(({ place, question }) => {
      const where = [...new Set(place.filter((part) => part !== ""))].join(" / ");
      const offered = question.default === undefined ? "no default" : `default ${JSON.stringify(question.default)}`;
      const notes = [
        question.required ? "required" : "optional",
        offered,
        ...(question.generated ? ["generated"] : []),
      ];
      return `  ${where === "" ? "" : `${where}: `}${question.key} (${question.type}): ${notes.join(", ")}`;
    }),
  ];
}

function renderDirectories({ directories }: PlanDocument): readonly string[] {
  if (directories === null || directories.length === 0) return [];
  return [
    "directories",
    ...directories.map(({ path, location, root, share, owner, snapshot }) => {
      const notes = [
        ...(root ? ["location itself"] : [`in ${location ?? "no location"}`]),
        ...(share ? ["shared"] : []),
        ...(owner === undefined ? [] : [`owner ${owner.user}${owner.group === undefined ? "" : `:${owner.group}`}`]),
        ...(snapshot === undefined ? [] : [`snapshot ${snapshot.id}`]),
      ];
      return `  ${path ?? "not resolved"}  (${notes.join(", ")})`;
    }),
  ];
}

function renderValues({ appValues }: PlanDocument): readonly string[] {
  if (appValues === null) return [];
  return [
    "app values",
    ...listLeaves(appValues, []).map(([path, value]) => `  ${renderPath(path)} = ${JSON.stringify(value)}`),
  ];
}

function listLeaves(value: Json, path: JsonPath): readonly (readonly [JsonPath, Json])[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item: Json, index) => listLeaves(item, [...path, index]));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => listLeaves(item, [...path, key]));
  }
  return [[path, value]];
}

function renderHooks({ hooks }: PlanDocument): readonly string[] {
  if (hooks === null || hooks.length === 0) return [];
  return [
    "hooks",
    ...hooks.map(({ id, event, optional, consent, closedBy = [] }) => {
      const notes = [
        ...(optional ? ["optional"] : []),
        ...(consent === undefined ? [] : [consent ? "consented" : "refused"]),
        ...(closedBy.length === 0 ? [] : [`does not run without ${closedBy.join(", ")}`]),
      ];
      return `  ${event} ${id}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
    }),
  ];
}

function explainLines(entries: readonly TraceEntry[]): readonly string[] {
  if (entries.length === 0) return [];
  const lines = entries.flatMap(({ path, macros }) => [
    `  ${renderPath(path)}`,
    ...macros.map(({ macro, from }) => `    ${macro} <- ${from.replace(":", " ")}`),
  ]);
  return ["where values come from", ...lines];
}

/** A problem of the script at its place; of the request, which has no text, at its key. */
function renderProblem(file: string, source: string, problem: Problem): string {
  const { code, severity, message, path, hint } = problem;
  if (path[0] !== "answers" && path[0] !== "consents") return formatProblem(file, source, problem);
  return `${renderPath(path)}: ${severity} ${code}: ${message}${hint === undefined ? "" : `\n  hint: ${hint}`}`;
}

function renderPath(path: JsonPath): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}
