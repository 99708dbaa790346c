/** The question about a task in AWAITING_RETRY, as a person at the terminal reads it. Pure. */
import { showControlCharacters } from "../../core/report/plain-text.ts";
import { findAskedRequest } from "../../core/task/waiting.ts";
import type { TaskView } from "../../engine/api.ts";

/** A question and the effect of each answer. */
export interface DecisionPrompt {
  readonly message: string;
  readonly choices: readonly { readonly name: string; readonly value: "input" | "retry" | "skip" | "cancel" }[];
}

/** The question a task asks; of a request that may have arrived each answer says what becomes of the request. */
export function renderDecision({
  label,
  failure,
  waitingFor,
  commands,
}: Omit<TaskView, "children" | "checkpoints">): DecisionPrompt {
  const isAboutRequest = findAskedRequest(waitingFor) !== undefined;
  return {
    message: showControlCharacters(`${label}: ${failure?.message ?? "stopped"}`),
    choices: [
      { name: isAboutRequest ? "Retry: send it again" : "Retry", value: "retry" },
      { name: isAboutRequest ? "Skip: give the call up" : "Skip", value: "skip" },
      ...(commands.includes("input") ? [{ name: "Answer", value: "input" as const }] : []),
      { name: "Cancel", value: "cancel" },
    ],
  };
}
