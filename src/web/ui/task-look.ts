/** How the state of a task looks and is said. Pure. */
import type { Task } from "../api/types.ts";
import type { IconName } from "./icons.ts";
import type { Words } from "./words.ts";

/** `ask` is of what needs a person and of nothing else. */
export type Tone = "plain" | "work" | "good" | "ask" | "bad";

export interface TaskLook {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly word: string;
}

type State = Task["state"];

const ICONS: Readonly<Record<State, IconName>> = {
  PENDING: "circle",
  RUNNING: "loader-circle",
  AWAITING_INPUT: "user",
  AWAITING_RETRY: "circle-alert",
  COMPLETED: "circle-check",
  SKIPPED: "skip-forward",
  FAILED: "circle-x",
  DISMISSED: "archive",
  CANCELLED: "ban",
};
const TONES: Readonly<Record<State, Tone>> = {
  PENDING: "plain",
  RUNNING: "work",
  AWAITING_INPUT: "ask",
  AWAITING_RETRY: "ask",
  COMPLETED: "good",
  SKIPPED: "plain",
  FAILED: "bad",
  DISMISSED: "plain",
  CANCELLED: "plain",
};

/** How a task is shown; one that waits for something else than a person says for what. */
export function lookOf({ state, waitingFor }: Task, { task }: Words): TaskLook {
  const kind = waitingFor?.kind;
  const isWaiting = state === "RUNNING" && kind !== undefined && kind !== "person";
  return {
    icon: isWaiting ? "clock" : ICONS[state],
    tone: TONES[state],
    word: isWaiting ? task.waiting[kind] : task.states[state],
  };
}
