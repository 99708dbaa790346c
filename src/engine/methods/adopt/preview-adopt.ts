import type { Adoption } from "../../../core/adopt/adoption.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import type { JsonObject, JsonPath } from "../../../core/json/json.ts";
import { parseTemplate } from "../../../core/macros/parse.ts";
import { listMacroStrings } from "../../../core/macros/places.ts";
import { type Difference, updateDifferences } from "../../../core/plan/values/update-differences.ts";
import { createMask, MASKED, type Mask, maskJson } from "../../../core/report/mask.ts";
import type { Dictionary, Question } from "../../../core/script/dictionary.ts";
import { toProblems } from "../../../core/script/parse/place-problems.ts";
import { getOwn } from "../../../core/script/parse/read-fields.ts";
import type { AdoptedAnswer, AdoptPreview, AdoptRequest, UnknownAnswer } from "../../api.ts";
import { createRevision } from "../../revision.ts";
import type { KeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { type ExaminedApp, examineApp } from "./examine-app.ts";

/** An app as an adoption found it, and what of that is shown. */
export interface PreviewedAdoption {
  readonly examined: ExaminedApp;
  readonly preview: AdoptPreview;
}

/** Says what an adoption would keep, of the `randoms` those the app has; what it would be refused for is a problem. Throws as `examineApp` does. */
export async function previewAdopt(
  deps: MethodDeps,
  appId: string,
  { answers = {} }: AdoptRequest,
  randoms: KeptChoices["randoms"] = {},
): Promise<PreviewedAdoption> {
  const examined = await examineApp(deps, appId, answers, randoms);
  const { dictionary, app, live, adoption, draft } = examined;
  const mask = createMask(draft.secrets);
  const shown: Omit<AdoptPreview, "revision"> = {
    appId,
    name: (await deps.labels.of(appId, deps.view())).name,
    instance: app.name,
    version: app.version,
    scriptVersion: dictionary.script.version,
    answers: dictionary.questions.flatMap((question) => listAnswer(question, adoption, mask)),
    unknown: dictionary.questions.flatMap((question) => listUnknown(question, examined, mask)),
    generated: { found: Object.keys(adoption.randoms).length, unknown: adoption.lost },
    differences: listDifferences(examined, live),
    problems: listProblems(examined, mask),
  };
  return { examined, preview: { ...shown, revision: createRevision(shown) } };
}

function listAnswer(
  { key, question, type }: Question,
  { recovered, given }: Adoption,
  mask: Mask,
): readonly AdoptedAnswer[] {
  const found = getOwn(recovered, key);
  const [source, value] = found === undefined ? ["given" as const, getOwn(given, key)] : ["recovered" as const, found];
  if (value === undefined) return [];
  return [{ key, question, ...(type !== "password" && { value: maskJson(value, mask) }), source }];
}

function listUnknown(question: Question, { adoption, draft }: ExaminedApp, mask: Mask): readonly UnknownAnswer[] {
  const reason = adoption.unknown.get(question.key);
  if (reason === undefined) return [];
  const { default: _declared, ...asked } = question;
  const form = draft.form.steps.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions));
  const offered = form.find(({ key }) => key === question.key);
  // What would be generated is no answer of an app that runs; what leads outside is not offered again.
  const isOffered = offered?.default !== undefined && offered.generated === undefined && reason !== "outside";
  return [{ ...asked, ...(isOffered && { default: maskJson(offered.default ?? null, mask) }), reason }];
}

/** What stands around a secret of the app nobody here knows may hold it: it is not shown. */
function listDifferences({ dictionary, draft: { plan } }: ExaminedApp, live: JsonObject): readonly Difference[] {
  if (plan === null) return [];
  const secret = listSecretPlaces(dictionary);
  return updateDifferences(plan, live).map((difference) => {
    const isSecret = secret.some((place) => difference.path.every((step, at) => step === place[at]));
    return isSecret && "before" in difference ? { ...difference, before: MASKED } : difference;
  });
}

/** The places of a script's values that passwords and generated strings go into. */
function listSecretPlaces({ appValues, questions }: Dictionary): readonly JsonPath[] {
  const passwords = new Set(questions.filter(({ type }) => type === "password").map(({ key }) => key));
  return listMacroStrings(appValues, [])
    .filter(({ text }) =>
      parseTemplate(text).calls.some(
        (call) => call.name === "RANDOM_STRING" || (call.name === "QUESTION" && passwords.has(call.key)),
      ),
    )
    .map(({ path }) => path);
}

function listProblems({ adoption, draft }: ExaminedApp, mask: Mask): readonly Problem[] {
  const later = draft.problems
    .filter(({ path: [area] }) => area !== "answers")
    .map((problem): Problem => ({ ...problem, severity: "warning" }));
  return [...toProblems("", adoption.faults), ...later].map((problem) => ({
    ...problem,
    message: mask(problem.message),
  }));
}
