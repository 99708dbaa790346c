/** The install dialog's questions in steps and sections (docs/install-scripts.md, "Questions"). */

import type { Json } from "../json/json.ts";
import type { Question } from "../script/dictionary.ts";
import type { PlanMode } from "./plan.ts";

export interface FormStep {
  readonly title: string;
  /** Whether the step shows its sections in a rail. */
  readonly rail: boolean;
  readonly sections: readonly FormSection[];
}

export interface FormSection {
  readonly title: string;
  readonly questions: readonly FormQuestion[];
}

/** The declared question with its default resolved. */
export interface FormQuestion extends Omit<Question, "default"> {
  readonly default?: Json;
  /** The default was generated for this install. */
  readonly generated?: true;
  /** A password of an earlier install, or a text with one inside, is kept: it is not shown, and stays where no answer is given. */
  readonly isSet?: true;
}

/** Title of a section without a name of its own beside named ones. */
const GENERAL = "General";

/** The steps of a form; custom install and options show every question on one screen. */
export function groupQuestions(questions: readonly FormQuestion[], mode: PlanMode | "upgrade"): readonly FormStep[] {
  const asked = questions.filter((question) => isAsked(question, mode));
  if (asked.length === 0) return [];
  const oneScreen = mode === "custom" || mode === "options" || asked.every(({ group }) => group === undefined);
  if (oneScreen) return [{ title: "", rail: false, sections: [{ title: "", questions: asked }] }];
  const steps = Map.groupBy(asked, (question) => splitGroup(question.group).step);
  return [...steps].map(([title, members]): FormStep => {
    const sections = [...Map.groupBy(members, ({ group }) => JSON.stringify(splitGroup(group)))];
    return {
      title,
      rail: sections.length > 1,
      sections: sections.map(([, inSection]) => ({
        title: splitGroup(inSection[0]?.group).section ?? (sections.length > 1 ? GENERAL : title),
        questions: inSection,
      })),
    };
  });
}

/** An installonly question is asked before the first boot only, none by an upgrade. */
export function isAsked({ installonly }: Pick<Question, "installonly">, mode: PlanMode | "upgrade"): boolean {
  return mode !== "upgrade" && !(installonly && mode === "options");
}

/** `Step` or `Step / Section`: the first slash with a space on each side splits. */
function splitGroup(group = GENERAL): { readonly step: string; readonly section: string | null } {
  const at = group.indexOf(" / ");
  if (at === -1) return { step: group.trim(), section: null };
  const [step, section] = [group.slice(0, at).trim(), group.slice(at + 3).trim()];
  return step === "" || section === "" ? { step: group.trim(), section: null } : { step, section };
}
