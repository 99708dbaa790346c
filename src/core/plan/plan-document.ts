/** A resolved plan as a document for people and programs: the JSON of `slipway plan`, the engine's preview. */

import type { Problem } from "../codes/problems.ts";
import type { JsonObject } from "../json/json.ts";
import { isJsonObject } from "../json/json.ts";
import { createMask, MASKED, maskJson } from "../report/mask.ts";
import type { Dictionary } from "../script/dictionary.ts";
import type { FormStep } from "./form.ts";
import type { PlannedHook } from "./plan.ts";
import type { TraceEntry } from "./plan-trace.ts";
import type { RequirementsReport } from "./requirements.ts";
import type { DraftDirectory } from "./resolve-directories.ts";
import type { ResolvedPlan } from "./resolve-plan.ts";

/** The document `slipway plan` prints; a value that can't be resolved is null. */
export interface PlanDocument {
  readonly appId: string;
  readonly appValues: JsonObject | null;
  readonly directories: readonly DraftDirectory[] | null;
  readonly hooks: readonly PlannedHook[] | null;
  readonly form: { readonly steps: readonly FormStep[] } | null;
  readonly requirements: RequirementsReport | null;
  readonly problems: readonly Problem[];
  /** With `--explain` only. */
  readonly explain?: readonly TraceEntry[];
}

/** The document of a resolved plan; the problems of its script come first. */
export function planDocument(
  appId: string,
  { draft, form, requirements, problems }: Pick<ResolvedPlan, "draft" | "form" | "requirements" | "problems">,
  scriptProblems: readonly Problem[],
): PlanDocument {
  return { appId, ...draft, form, requirements, problems: [...scriptProblems, ...problems] };
}

/** The same without a secret: masked by value, and by place where they are too short for that. */
export function maskResolved(dictionary: Dictionary, resolved: ResolvedPlan): ResolvedPlan {
  const mask = createMask(resolved.secrets);
  const { draft, form, problems } = resolved;
  const appValues = maskJson(draft.appValues, mask, resolved.secretPlaces);
  const passwords = new Set(dictionary.questions.filter(({ type }) => type === "password").map(({ key }) => key));
  return {
    ...resolved,
    plan: null,
    draft: {
      ...draft,
      appValues: isJsonObject(appValues) ? appValues : {},
      directories: draft.directories.map((entry) => ({
        ...entry,
        path: entry.path === null ? null : mask(entry.path),
      })),
    },
    form: { steps: form.steps.map((step) => maskStep(step, passwords, mask)) },
    problems: problems.map((problem) => ({ ...problem, message: mask(problem.message) })),
  };
}

function maskStep(step: FormStep, passwords: ReadonlySet<string>, mask: (text: string) => string): FormStep {
  const sections = step.sections.map((section) => ({
    ...section,
    questions: section.questions.map((question) => {
      const { default: offered, generated, key } = question;
      if (offered === undefined || offered === "") return question;
      const hidden = passwords.has(key) || generated === true;
      return { ...question, default: hidden ? MASKED : maskJson(offered, mask) };
    }),
  }));
  return { ...step, sections };
}
