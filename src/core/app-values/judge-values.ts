/** Holds an app's values against its questions, as the host does before it installs or changes the app. */
import { isEqual } from "../json/is-equal.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import type { JudgeContext } from "./judge-context.ts";
import { judgeScalar } from "./judge-scalar.ts";
import type { ValueQuestion } from "./question.ts";
import { findHidingCondition } from "./show-if.ts";
import { isRefusal, type ValueFault } from "./value-fault.ts";

/** The values the host keeps: converted, with the defaults of what was not sent. Refused values are kept as sent. */
export interface Judged {
  readonly values: JsonObject;
  readonly faults: readonly ValueFault[];
}

/** Judges values against all questions of an app. */
export function judgeValues(questions: readonly ValueQuestion[], sent: JsonObject, context: JudgeContext = {}): Judged {
  const faults: ValueFault[] = [];
  const judgement: Judgement = { context, report: (fault) => faults.push(fault) };
  const { before } = context;
  const values = judgeMembers(judgement, { questions, sent, path: [], optional: false, before });
  return { values, faults };
}

interface Judgement {
  readonly context: JudgeContext;
  readonly report: (fault: ValueFault) => void;
}

interface Members {
  readonly questions: readonly ValueQuestion[];
  readonly sent: JsonObject;
  readonly path: JsonPath;
  /** Below a hidden question, where nothing is required. */
  readonly optional: boolean;
  readonly before: Json | undefined;
}

function judgeMembers(judgement: Judgement, { questions, sent, path, optional, before }: Members): JsonObject {
  const known = new Map(questions.map((question) => [question.key, question]));
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(sent)) {
    if (known.has(key)) continue;
    kept.push([key, value]);
    judgement.report({
      kind: "unknown",
      path: [...path, key],
      question: null,
      reason: "",
      value,
      known: [...known.keys()],
    });
  }
  for (const question of questions) {
    const value = getOwn(sent, question.key);
    const at = [...path, question.key];
    const hiddenBy = findHidingCondition(question, questions, sent);
    const isOptional = optional || hiddenBy !== null;
    if (value === undefined) {
      const filled = fillMissing(judgement, question, at, isOptional);
      if (filled !== undefined && hiddenBy === null) kept.push([question.key, filled]);
      continue;
    }
    if (hiddenBy !== null && !isEqual(value, question.default ?? null)) {
      judgement.report({ kind: "hidden", path: at, question, reason: "", value, hiddenBy });
    }
    const earlier = isJsonObject(before) ? getOwn(before, question.key) : undefined;
    kept.push([question.key, judgeValue(judgement, question, value, at, isOptional, earlier)]);
  }
  // fromEntries defines members: a key "__proto__" stays a key.
  return Object.fromEntries(kept);
}

/** The value the host fills in; a default is not checked. */
function fillMissing(
  judgement: Judgement,
  question: ValueQuestion,
  path: JsonPath,
  optional: boolean,
): Json | undefined {
  if (question.default !== undefined) return question.default;
  if (question.type === "dict") {
    const members = { questions: question.parts, sent: {}, path, optional, before: undefined };
    return judgeMembers(judgement, members);
  }
  if (question.required && !optional) {
    judgement.report({ kind: "missing", path, question, reason: "Field required" });
  }
  return question.nullable && !question.required ? null : undefined;
}

function judgeValue(
  judgement: Judgement,
  question: ValueQuestion,
  value: Json,
  path: JsonPath,
  optional: boolean,
  before: Json | undefined,
): Json {
  if (value === null && question.nullable) return null;
  if (question.type === "dict") return judgeDict(judgement, question, value, path, optional, before);
  if (question.type === "list") return judgeList(judgement, question, value, path);
  const { context, report } = judgement;
  const judged = judgeScalar({ ...question, type: question.type }, value, path, context);
  for (const fault of judged.faults) report(fault);
  if (question.immutable && before !== undefined && !isEqual(before, judged.value)) {
    report({
      kind: "immutable",
      path,
      question,
      reason: "The value can not be changed after the app is installed",
      value,
    });
  }
  return judged.value;
}

function judgeDict(
  judgement: Judgement,
  question: ValueQuestion,
  value: Json,
  path: JsonPath,
  optional: boolean,
  before: Json | undefined,
): Json {
  if (!isJsonObject(value)) {
    judgement.report({ kind: "type", path, question, reason: "Input should be a valid dictionary", value });
    return value;
  }
  // without members it takes any, e.g. the entries of an ACL
  if (question.parts.length === 0) return value;
  return judgeMembers(judgement, { questions: question.parts, sent: value, path, optional, before });
}

function judgeList(judgement: Judgement, question: ValueQuestion, value: Json, path: JsonPath): Json {
  const { report } = judgement;
  if (!isJsonArray(value)) {
    report({ kind: "type", path, question, reason: "Input should be a valid list", value });
    return value;
  }
  const bound = findBound(question, value.length);
  if (bound !== null) report({ kind: "length", path, question, reason: bound });
  return value.map((item, index) => judgeItem(judgement, question.parts, item, [...path, index]));
}

/** The first kind of item that takes it; if none does, the faults of the first kind count. */
function judgeItem(judgement: Judgement, kinds: readonly ValueQuestion[], item: Json, path: JsonPath): Json {
  const [first, ...others] = kinds.map((kind) => {
    const faults: ValueFault[] = [];
    const own: Judgement = { ...judgement, report: (fault) => faults.push(fault) };
    const value = judgeValue(own, kind, item, path, false, undefined);
    return { value, faults, fits: !faults.some(isRefusal) };
  });
  if (first === undefined) return item;
  const taken = first.fits ? first : (others.find(({ fits }) => fits) ?? first);
  for (const fault of taken.faults) judgement.report(fault);
  return taken.value;
}

function findBound({ min, max }: ValueQuestion, items: number): string | null {
  const count = (bound: number) => `${bound} item${bound === 1 ? "" : "s"} after validation, not ${items}`;
  if (min !== undefined && items < min) return `List should have at least ${count(min)}`;
  if (max !== undefined && items > max) return `List should have at most ${count(max)}`;
  return null;
}
