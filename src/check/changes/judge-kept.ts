/** What an app was set up with, held against what it has after its script changed. */
import { isEqual } from "../../core/json/is-equal.ts";
import type { Json, JsonPath } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Question } from "../../core/script/dictionary.ts";
import type { Findings } from "../findings.ts";
import type { PlayedApp } from "../subject.ts";
import type { AnswerSet } from "../trials/generate-answers.ts";
import { nameVersion, type UsableEarlier } from "./earlier-scripts.ts";
import { type Change, findFate, findFresh, namePlace } from "./kept-texts.ts";
import { recoverInstallonly } from "./known-answers.ts";

/** An app before and after its script changed. */
export interface ChangedApp {
  readonly app: PlayedApp;
  readonly earlier: UsableEarlier;
  readonly change: Change;
  readonly facts: HostFacts;
  /** Answers by question key: by the earlier script, and as the options dialog has them now. */
  readonly held: AnswerSet;
  readonly now: AnswerSet;
  /** Strings generated before the change, and by it. */
  readonly kept: readonly string[];
  readonly fresh: readonly string[];
}

/** Finds generated strings and answers the newest script has lost. */
export function judgeKept(changed: ChangedApp, findings: Findings): void {
  judgeSecrets(changed, findings);
  for (const question of changed.earlier.dictionary.questions) judgeAnswer(question, changed, findings);
  judgeInstallonly(changed, findings);
}

function judgeSecrets({ earlier, change, kept, fresh }: ChangedApp, findings: Findings): void {
  const freshPlace = findFresh(fresh, change);
  for (const text of kept) {
    const found = findFate(text, change);
    if (found === null || found.fate === "used") continue;
    const had = `the string version ${nameVersion(earlier)} generated for "${namePlace(found.path)}"`;
    if (found.fate === "replaced") {
      findings.add("CHECK_SECRET_LOST", `${had} is gone: another value stands in its place`, toPlace(found.path));
    } else if (freshPlace !== null) {
      const message = `${had} is used no more, and "${namePlace(freshPlace)}" gets a new one`;
      findings.add("CHECK_SECRET_LOST", message, toPlace(freshPlace));
    }
  }
}

function judgeAnswer(question: Question, { app, earlier, change, held, now }: ChangedApp, findings: Findings): void {
  const { key, type, installonly } = question;
  const { questions } = app.dictionary;
  const answer = held[key];
  const index = questions.findIndex((other) => other.key === key);
  if (answer === undefined || answer === "" || installonly) return;
  const had = `the answer to "${key}" of version ${nameVersion(earlier)}`;
  if (index >= 0) {
    if (questions[index]?.installonly || isEqual(now[key], answer)) return;
    const message = `${had} is lost: ${show(type, now[key])} stands for ${show(type, answer)}`;
    findings.add("CHECK_ANSWER_LOST", message, ["installation_questions", index]);
    return;
  }
  const found = typeof answer === "string" && type !== "select" ? findFate(answer, change) : null;
  if (found === null || found.fate === "used") return;
  const known = new Set(earlier.dictionary.questions.map((other) => other.key));
  // one that took over the place of another goes on with its answer
  const goesOn = (other: Question) => Object.values(held).some((one) => isEqual(one, now[other.key]));
  const added = questions.findIndex((other) => !known.has(other.key) && other.type === type && !goesOn(other));
  if (added < 0 && found.fate === "left") return;
  const [path, instead]: [JsonPath, string] =
    added < 0
      ? [toPlace(found.path), "another value stands in its place"]
      : [["installation_questions", added], `"${questions[added]?.key}" is asked instead, and begins anew`];
  findings.add("CHECK_ANSWER_LOST", `${had} is used no more: ${instead}`, path);
}

/** Finds `installonly` answers the app's configuration does not tell any more. */
export function judgeInstallonly(
  { app, change, facts, held, now }: Pick<ChangedApp, "app" | "change" | "facts" | "held" | "now">,
  findings: Findings,
): void {
  const { questions } = app.dictionary;
  if (!questions.some(({ installonly }) => installonly)) return;
  const recovered = recoverInstallonly(app.dictionary, facts, change.after, { ...held, ...now });
  for (const [index, { key, installonly }] of questions.entries()) {
    const answer = held[key];
    if (!installonly || answer === undefined || answer === "" || isEqual(recovered[key], answer)) continue;
    const message = `the installonly answer to "${key}" can't be found again in the app's configuration`;
    findings.add("CHECK_INSTALLONLY_LOST", message, ["installation_questions", index]);
  }
}

function toPlace(path: JsonPath): JsonPath {
  return ["app_values", ...path];
}

function show(type: Question["type"], answer: Json | undefined): string {
  if (type === "password") return "another password";
  return answer === undefined ? "nothing" : JSON.stringify(answer);
}
