/** Guards, actions and delays a hook task's literal names, ready-made for `setup`. */
import { assign, enqueueActions } from "xstate";
import type { Failure } from "../../src/core/codes/problems.ts";
import { aboutCheckpoint, aboutRequest } from "../../src/core/task/decision.ts";
import type { UncertainRequest } from "../../src/core/task/uncertain-request.ts";
import type { Authorization } from "../../src/core/task/waiting.ts";
import {
  askAboutRequest,
  conditionMark,
  NOT_RESUMABLE,
  notStarted,
  shownPercent,
  timedOut,
  timeLeft,
  withEntry,
  withoutEntry,
} from "./context.ts";
import type { HookTaskContext, HookTaskEvent, LinkNotice, MissingInput, ScriptReport } from "./types.ts";

type Args = { readonly context: HookTaskContext };

type Report = ScriptReport & { readonly type: string };
type Choice = "retry" | "skip";

/** Requests of these actions to the turn and to the running script. */
type Turn =
  | { type: "task.start"; params: StartParams }
  | { type: "task.tell"; params: TellParams }
  | { type: "hook.answer"; params: AnswerParams };
type StartParams = { id: string; machine: string; kind: string; appId: string; input: object };
type AnswerParams = { choice: Choice; about: string };
type TellParams = { to: string; event: { type: string; message?: string | null } };

/** Notes what the script says of a checkpoint, and tells the checkpoint. */
function toCheckpoint<P extends ScriptReport>(note: (context: HookTaskContext, report: P) => Partial<HookTaskContext>) {
  type Params = P & { readonly type: string };
  return enqueueActions<HookTaskContext, HookTaskEvent, Params, HookTaskEvent, never, Turn, never, never, never>(
    ({ context, enqueue }, report) => {
      enqueue.assign(note(context, report));
      enqueue({
        type: "task.tell",
        params: { to: report.checkpoint, event: { type: report.type, message: report.message } },
      });
    },
  );
}

/** A person decided: the script is told, and what was asked is forgotten. */
function toScript(choice: Choice, note: (context: HookTaskContext) => Partial<HookTaskContext> = () => ({})) {
  return enqueueActions<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never, Turn, never, never, never>(
    ({ context, enqueue }) => {
      const { failedCheckpoint, request } = context;
      const asked = request === null ? null : aboutRequest(request);
      enqueue.assign({ failedCheckpoint: null, request: null, failure: null, ...note(context) });
      if (failedCheckpoint !== null) {
        enqueue({ type: "task.tell", params: { to: failedCheckpoint, event: { type: `user.${choice}` } } });
      }
      const about = asked ?? aboutCheckpoint(failedCheckpoint ?? "");
      enqueue({ type: "hook.answer", params: { choice, about } });
    },
  );
}

/** Delays of a hook task. */
export const hookTaskDelays = {
  /** Running time left, with grace: the sandbox ends the script itself at its limit. */
  timeLeft: ({ context }: Args) => context.leftMs,
  inputDeadline: ({ context }: Args) => context.input.inputDeadlineMs,
  startDeadline: ({ context }: Args) => context.input.link?.startDeadlineMs ?? 0,
};

/** Guards of a hook task. */
export const hookTaskGuards = {
  startsAtOnce: ({ context }: Args) => !context.input.waitsForTurn,
  isLink: ({ context }: Args) => context.input.link !== undefined,
  isToJudge: ({ context }: Args) => context.input.conditional && !context.admitted,
  allGiven: ({ context }: Args) => context.missing.length === 0,
  takesCorrections: ({ context }: Args) => context.corrections !== undefined,
  asksForAuthorization: ({ context }: Args) => context.missing.some((input) => input.type === "oauth"),
  skipsOnInputTimeout: ({ context }: Args) => context.input.onInputTimeout === "skip",
  hasRetries: ({ context }: Args) => context.attempt <= context.input.retries,
  skipsOnFailure: ({ context }: Args) => context.input.onFailure === "skip",
  failsOnFailure: ({ context }: Args) => context.input.onFailure === "fail",
  /** One question at a time: what else is to be asked comes again once it is decided. */
  asksNobody: ({ context }: Args) => context.failedCheckpoint === null && context.request === null,
  isRegistered: ({ context }: Args, p: { checkpoint: string }) => context.registered.includes(p.checkpoint),
};

/** Effects of a hook task by their names, what the turn carries out itself, and changes of the context. */
export const hookTaskActions = {
  "hook.collectInputs": (_: unknown, _params: { hookId: string }) => {},
  "hook.authorize": (_: unknown, _params: { hookId: string; inputs: string[] }) => {},
  "hook.run": (_: unknown, _params: { hookId: string; event: string; attempt: number; timeoutMs: number }) => {},
  "hook.judge": (_: unknown, _params: { hookId: string }) => {},
  "host.apps.wait": (_: unknown, _params: { hookId: string; apps: string[] }) => {},
  "notify.linked": () => {},
  "task.notify": (_: unknown, _params: { notifications: LinkNotice[] }) => {},
  "hook.answer": (_: unknown, _params: AnswerParams) => {},
  "task.start": (_: unknown, _params: StartParams) => {},
  "task.tell": (_: unknown, _params: TellParams) => {},
  "effect.cancel": (_: unknown, _params: { name: string }) => {},

  setMissing: assign<HookTaskContext, HookTaskEvent, { missing: readonly MissingInput[] }, HookTaskEvent, never>({
    missing: (_, p) => p.missing,
    authorizations: {},
  }),
  keepCorrections: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>(({ event }) =>
    "corrections" in event ? { corrections: event.corrections } : {},
  ),
  dropGiven: assign<HookTaskContext, HookTaskEvent, { given: readonly string[] }, HookTaskEvent, never>({
    missing: ({ context }, p) => context.missing.filter((input) => !p.given.includes(input.id)),
  }),
  setAuthorization: assign<
    HookTaskContext,
    HookTaskEvent,
    { input: string; authorization: Authorization },
    HookTaskEvent,
    never
  >({
    authorizations: ({ context }, p) => ({
      ...context.authorizations,
      [p.input]: p.authorization,
    }),
  }),
  firstAttempt: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({ attempt: 1, failure: null }),
  nextAttempt: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    attempt: ({ context }) => context.attempt + 1,
  }),
  /** From the script's beginning: nothing of an earlier run counts. */
  beginRun: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    leftMs: ({ context }) => timeLeft(context, 0),
    failedCheckpoint: null,
    request: null,
    marks: ({ context }) => withoutEntry(context.marks, NOT_RESUMABLE),
  }),
  setTimeLeft: assign<HookTaskContext, HookTaskEvent, { ranMs: number }, HookTaskEvent, never>({
    leftMs: ({ context }, p) => timeLeft(context, p.ranMs),
  }),
  askAboutRequest: assign<
    HookTaskContext,
    HookTaskEvent,
    { request: UncertainRequest; ranMs: number },
    HookTaskEvent,
    never
  >(({ context }, p) => askAboutRequest(context, p)),
  markNotResumable: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    marks: ({ context }) => withEntry(context.marks, NOT_RESUMABLE),
  }),
  unmarkNotResumable: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    marks: ({ context }) => withoutEntry(context.marks, NOT_RESUMABLE),
  }),
  setFailure: assign<HookTaskContext, HookTaskEvent, { failure: Failure }, HookTaskEvent, never>({
    failure: (_, p) => p.failure,
  }),
  forgetFailure: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({ failure: null }),
  timedOut: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    failure: ({ context }) => timedOut(context),
  }),
  admit: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({ admitted: true }),
  setPending: assign<HookTaskContext, HookTaskEvent, { reasons: readonly string[] }, HookTaskEvent, never>({
    pending: (_, p) => p.reasons,
  }),
  /** Nobody decides about a condition: only what the author requires leaves a mark. */
  markUnmet: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    marks: ({ context: { input, marks } }) =>
      input.onFailure === "ask" ? withEntry(marks, conditionMark(input)) : marks,
  }),
  notStarted: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    failure: ({ context }) => notStarted(context),
  }),
  markOverdue: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    marks: ({ context }) => withEntry(context.marks, "overdue"),
  }),
  unmarkOverdue: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    marks: ({ context }) => withoutEntry(context.marks, "overdue"),
  }),
  markSkip: assign<HookTaskContext, HookTaskEvent, undefined, HookTaskEvent, never>({
    marks: ({ context: { input, marks } }) => (input.requiredBefore ? withEntry(marks, "skippedRequired") : marks),
  }),
  setPercent: assign<HookTaskContext, HookTaskEvent, { percent: number }, HookTaskEvent, never>({
    percent: (_, p) => shownPercent(p.percent),
  }),

  tellCheckpoint: toCheckpoint<ScriptReport>(() => ({})),
  endCheckpoint: toCheckpoint<ScriptReport & { readonly percent?: number | null }>((context, report) => ({
    ended: withEntry(context.ended, report.checkpoint),
    ...(typeof report.percent === "number" && { percent: shownPercent(report.percent) }),
  })),
  failCheckpoint: toCheckpoint<ScriptReport & { readonly failure: Failure; readonly ranMs: number }>(
    (context, { checkpoint, failure, ranMs }) => ({
      leftMs: timeLeft(context, ranMs),
      failedCheckpoint: checkpoint,
      failure,
    }),
  ),
  /** A checkpoint's first announcement makes its row. */
  registerCheckpoint: enqueueActions<
    HookTaskContext,
    HookTaskEvent,
    Report,
    HookTaskEvent,
    never,
    Turn,
    never,
    never,
    never
  >(({ context, enqueue }, { type, checkpoint, message }) => {
    if (context.registered.includes(checkpoint)) {
      return enqueue({ type: "task.tell", params: { to: checkpoint, event: { type, message } } });
    }
    const input = { checkpoint, message: message ?? checkpoint };
    const { appId } = context.input;
    enqueue.assign({ registered: [...context.registered, checkpoint] });
    enqueue({
      type: "task.start",
      params: { id: checkpoint, machine: "checkpoint", kind: "checkpoint", appId, input },
    });
  }),

  retryCheckpoint: toScript("retry"),
  skipCheckpoint: toScript("skip", ({ ended, failedCheckpoint }) => ({
    ended: failedCheckpoint === null ? ended : withEntry(ended, failedCheckpoint),
  })),
  sendAgain: toScript("retry"),
  giveUp: toScript("skip"),
};
