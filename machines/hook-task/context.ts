/** The context of a hook task, and its changes. Pure. */
import { createHookTimeoutFailure, linkNotStarted } from "../../src/core/task/task-failures.ts";
import { createRequestUncertainFailure, type UncertainRequest } from "../../src/core/task/uncertain-request.ts";
import type { HookTaskContext, HookTaskInput, LinkNotice } from "./types.ts";

/** Time beyond the script's own limit after which the machine ends a run that does not end itself, in ms. */
const GRACE_MS = 10_000;

const NO_INPUT: HookTaskInput = {
  appId: "",
  hookId: "",
  event: "userAction",
  title: "",
  runningTitle: "",
  waitsForTurn: false,
  kind: "hook",
  conditional: false,
  onFailure: "ask",
  onInputTimeout: "stay",
  requiredBefore: false,
  retries: 0,
  timeoutMs: 0,
  inputDeadlineMs: 0,
};

/** The context a hook task begins with. xstate asks for it without an input too, to look at the machine. */
export function beginHookTask(input: HookTaskInput | undefined): HookTaskContext {
  return {
    input: input ?? NO_INPUT,
    attempt: 1,
    leftMs: 0,
    missing: [],
    authorizations: {},
    registered: [],
    ended: [],
    failedCheckpoint: null,
    request: null,
    percent: null,
    admitted: false,
    pending: [],
    failure: null,
    marks: [],
  };
}

/** Running time left of an attempt that has run `ranMs`, in ms: the sandbox ends the script itself before it is over. */
export function timeLeft({ input }: HookTaskContext, ranMs: number): number {
  return Math.max(0, input.timeoutMs + GRACE_MS - ranMs);
}

/** Asks a person about a request of an attempt that has run `ranMs`. */
export function askAboutRequest(
  context: HookTaskContext,
  { request, ranMs }: { readonly request: UncertainRequest; readonly ranMs: number },
): Partial<HookTaskContext> {
  return { request, failure: createRequestUncertainFailure(request), leftMs: timeLeft(context, ranMs) };
}

/** The failure of a run whose running time is over. */
export function timedOut({ input }: HookTaskContext): HookTaskContext["failure"] {
  return createHookTimeoutFailure(input.timeoutMs);
}

/** The failure of a link whose apps did not come up in time, or whose conditions did not come to hold. */
export function notStarted({ input: { link }, pending }: HookTaskContext): HookTaskContext["failure"] {
  return linkNotStarted(pending, link?.startDeadlineMs ?? 0);
}

/** One notification for each target that was linked. */
export function linkMade({ input: { appId, hookId, link } }: HookTaskContext): { notifications: LinkNotice[] } {
  const targets = link?.targets ?? [];
  return {
    notifications: targets.map((target) => ({ type: "pairing.linked", runsOnAppId: appId, hookId, target })),
  };
}

/** The mark of a required hook that was left out because its conditions do not hold. */
export function conditionMark({ hookId }: HookTaskInput): string {
  return `conditionNotMet: ${hookId}`;
}

/** The mark of a run that is longer than what is recorded of one, so that a crash would start it from its beginning. */
export const NOT_RESUMABLE = "notResumable";

/** The list with one entry more, if it is not there yet. */
export function withEntry(list: readonly string[], entry: string): readonly string[] {
  return list.includes(entry) ? list : [...list, entry];
}

/** The list without an entry. */
export function withoutEntry(list: readonly string[], entry: string): readonly string[] {
  return list.filter((one) => one !== entry);
}

/** A script's own percentage as it is shown: 100 only at the end. */
export function shownPercent(percent: number): number {
  return Math.min(99, Math.max(0, Math.round(percent)));
}
