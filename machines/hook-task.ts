/**
 * One run of one hook: a lifecycle firing, a link, or a button someone pressed.
 *
 * Invariants:
 * 1. The script runs only in EXECUTING, one run at a time; leaving it for good stops the run.
 * 2. `timeLeft` counts running time: not while the script waits for the host or its place in the sandbox, nor while a
 *    person decides; it starts whole with every run.
 * 3. No input value is in the context: inputs are named here and kept in the vault.
 * 4. A script reports on a checkpoint only after `script.registered` named it.
 * 5. Every end is told to the parent exactly once per entry; the parent decides what follows.
 * 6. A link's script starts only when the apps it links run; each target linked is told of once the script completed.
 * 7. `optional` (onFailure "skip") skips lifecycle firings only; a failed link ends FAILED, everything else waits for a person.
 */
import { assign, setup } from "xstate";
import type { Failure } from "../src/core/codes/problems.ts";
import type { JsonObject } from "../src/core/json/json.ts";
import type { LifecycleEvent } from "../src/core/script/dictionary.ts";
import { crashLoop, effectUnknown, hookTimeout, linkMissing, linkNotStarted } from "../src/core/task/task-failures.ts";

/** What a hook task is started with; JSON, no secrets. */
export type HookTaskInput = {
  readonly appId: string;
  readonly hookId: string;
  readonly event: LifecycleEvent | "userAction";
  /** Label at rest. */
  readonly title: string;
  /** Label while it runs: the description where there is one (docs/decisions.md, section 3). */
  readonly runningTitle: string;
  /** `install` children wait for their turn; a pressed button starts at once. */
  readonly waitsForTurn: boolean;
  readonly kind: "hook" | "link";
  readonly onFailure: "ask" | "skip" | "fail";
  readonly onInputTimeout: "skip" | "stay";
  /** Skipping it leaves the mark `skippedRequired`. */
  readonly requiredBefore: boolean;
  /** Automatic retries after the first attempt. */
  readonly retries: number;
  /** Running time of one attempt, in ms. */
  readonly timeoutMs: number;
  /** How long a person has for the inputs, in ms. */
  readonly inputDeadlineMs: number;
  /** Links only: what they wait for and tell of. */
  readonly link?: {
    /** Apps whose containers must run first. */
    readonly apps: readonly string[];
    /** The targets selected. */
    readonly targets: readonly string[];
    /** How long the apps may take, in ms (docs/install-scripts.md, "The plan of links"). */
    readonly startDeadlineMs: number;
  };
};

/** An input a person still has to give: its declaration, never a value. */
export type MissingInput = { readonly id: string; readonly type: "oauth" | "question"; readonly declared: JsonObject };

/** How far the authorization of one OAuth input is. `url` is what the user opens. */
export type Authorization =
  | { readonly status: "open"; readonly url: string; readonly code: string; readonly expiresAt: string }
  | { readonly status: "failed"; readonly failure: Failure };

/** What the machine remembers; JSON, no secrets. */
export interface HookTaskContext {
  readonly input: HookTaskInput;
  readonly attempt: number;
  readonly leftMs: number;
  readonly missing: readonly MissingInput[];
  readonly authorizations: Readonly<Record<string, Authorization>>;
  readonly registered: readonly string[];
  readonly ended: readonly string[];
  /** The checkpoint a person decides about. */
  readonly failedCheckpoint: string | null;
  readonly percent: number | null;
  /** Targets that are there to be linked. */
  readonly linked: readonly string[];
  /** The host can't be asked at the moment; every result of an effect says it can again. */
  readonly hostSilent: boolean;
  readonly failure: Failure | null;
  readonly marks: readonly string[];
}

type ScriptReport = { readonly checkpoint: string; readonly message: string | null };

export type HookTaskEvent =
  | { readonly type: "parent.start" }
  | { readonly type: "parent.cancel" }
  | { readonly type: "user.input"; readonly given: readonly string[] }
  | { readonly type: "user.retry" }
  | { readonly type: "user.skip" }
  | { readonly type: "user.cancel" }
  | { readonly type: "user.dismiss" }
  | { readonly type: "inputs.complete" }
  | { readonly type: "inputs.missing"; readonly missing: readonly MissingInput[] }
  | { readonly type: "oauth.opened"; readonly input: string; readonly authorization: Authorization }
  | { readonly type: "oauth.granted"; readonly input: string }
  | { readonly type: "oauth.failed"; readonly input: string; readonly authorization: Authorization }
  | { readonly type: "oauth.ended" }
  | { readonly type: "host.silent" }
  | { readonly type: "host.answers" }
  | { readonly type: "host.apps.running"; readonly present: readonly string[] }
  | { readonly type: "host.apps.missing"; readonly missing: readonly string[] }
  | { readonly type: "notify.done" }
  | { readonly type: "run.delayed" }
  | { readonly type: "run.started" }
  | { readonly type: "run.completed" }
  | { readonly type: "run.failed"; readonly failure: Failure }
  | { readonly type: "run.answered" }
  | ({ readonly type: "script.registered" } & ScriptReport)
  | ({ readonly type: "script.message" } & ScriptReport)
  | ({ readonly type: "script.completed"; readonly percent: number | null } & ScriptReport)
  | ({ readonly type: "script.skipped" } & ScriptReport)
  | ({ readonly type: "script.failed"; readonly failure: Failure; readonly ranMs: number } & ScriptReport)
  | { readonly type: "script.progress"; readonly percent: number }
  | { readonly type: "engine.crashLoop"; readonly lives: number }
  | { readonly type: "engine.effectUnknown"; readonly effect: string };

const NO_INPUT: HookTaskInput = {
  appId: "",
  hookId: "",
  event: "userAction",
  title: "",
  runningTitle: "",
  waitsForTurn: false,
  kind: "hook",
  onFailure: "ask",
  onInputTimeout: "stay",
  requiredBefore: false,
  retries: 0,
  timeoutMs: 0,
  inputDeadlineMs: 0,
};

/** Time beyond the script's own limit after which the machine ends a run that does not end itself, in ms. */
const GRACE_MS = 10_000;

export const hookTaskMachine = setup({
  types: { context: {} as HookTaskContext, events: {} as HookTaskEvent, input: {} as HookTaskInput },
  delays: {
    /** Running time left, with grace: the sandbox ends the script itself at its limit. */
    timeLeft: ({ context }) => context.leftMs,
    inputDeadline: ({ context }) => context.input.inputDeadlineMs,
    startDeadline: ({ context }) => context.input.link?.startDeadlineMs ?? 0,
  },
  guards: {
    startsAtOnce: ({ context }) => !context.input.waitsForTurn,
    isLink: ({ context }) => context.input.link !== undefined,
    allGiven: ({ context }) => context.missing.length === 0,
    asksForAuthorization: ({ context }) => context.missing.some((input) => input.type === "oauth"),
    skipsOnInputTimeout: ({ context }) => context.input.onInputTimeout === "skip",
    hasRetries: ({ context }) => context.attempt <= context.input.retries,
    skipsOnFailure: ({ context }) => context.input.onFailure === "skip",
    failsOnFailure: ({ context }) => context.input.onFailure === "fail",
    isRegistered: ({ context }, p: { checkpoint: string }) => context.registered.includes(p.checkpoint),
  },
  actions: {
    "hook.collectInputs": (_, _params: { hookId: string }) => {},
    "hook.authorize": (_, _params: { hookId: string; inputs: string[] }) => {},
    "hook.run": (_, _params: { hookId: string; event: string; attempt: number; timeoutMs: number }) => {},
    "host.apps.wait": (_, _params: { apps: string[]; targets: string[] }) => {},
    "notify.linked": (_, _params: { hookId: string; targets: string[] }) => {},
    "hook.answer": (_, _params: { choice: "retry" | "skip" }) => {},
    "task.start": (
      _,
      _params: {
        id: string;
        machine: "checkpoint";
        kind: "checkpoint";
        input: { checkpoint: string; message: string };
      },
    ) => {},
    "task.tell": (_, _params: { to: string; event: { type: string; [key: string]: string | null | string[] } }) => {},
    "effect.cancel": (_, _params: { name: string }) => {},

    setMissing: assign({ missing: (_, p: { missing: readonly MissingInput[] }) => p.missing, authorizations: {} }),
    dropGiven: assign({
      missing: ({ context }, p: { given: readonly string[] }) =>
        context.missing.filter((input) => !p.given.includes(input.id)),
    }),
    setAuthorization: assign({
      authorizations: ({ context }, p: { input: string; authorization: Authorization }) => ({
        ...context.authorizations,
        [p.input]: p.authorization,
      }),
    }),
    firstAttempt: assign({ attempt: 1, failure: null }),
    nextAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    fullTime: assign({
      hostSilent: false,
      leftMs: ({ context }) => context.input.timeoutMs + GRACE_MS,
      failedCheckpoint: null,
    }),
    takeTime: assign({
      leftMs: ({ context }, p: { ranMs: number }) => Math.max(0, context.input.timeoutMs + GRACE_MS - p.ranMs),
    }),
    setFailure: assign({ hostSilent: false, failure: (_, p: { failure: Failure }) => p.failure }),
    forgetFailure: assign({ failure: null }),
    timedOut: assign({ failure: ({ context }) => hookTimeout(context.input.timeoutMs) }),
    setLinked: assign({ hostSilent: false, linked: (_, p: { linked: readonly string[] }) => p.linked }),
    notStarted: assign({
      hostSilent: false,
      failure: ({ context }) =>
        linkNotStarted(context.input.link?.apps ?? [], context.input.link?.startDeadlineMs ?? 0),
    }),
    missing: assign({ hostSilent: false, failure: (_, p: { missing: readonly string[] }) => linkMissing(p.missing) }),
    hostIsSilent: assign({ hostSilent: true }),
    hostAnswers: assign({ hostSilent: false }),
    crashed: assign({ failure: (_, p: { lives: number }) => crashLoop(p.lives) }),
    unknown: assign({ failure: (_, p: { effect: string }) => effectUnknown(p.effect) }),
    mark: assign({
      marks: ({ context }, p: { mark: string }) =>
        context.marks.includes(p.mark) ? context.marks : [...context.marks, p.mark],
    }),
    unmark: assign({ marks: ({ context }, p: { mark: string }) => context.marks.filter((mark) => mark !== p.mark) }),
    markSkip: assign({
      marks: ({ context }) =>
        context.input.requiredBefore && !context.marks.includes("skippedRequired")
          ? [...context.marks, "skippedRequired"]
          : context.marks,
    }),
    noteRegistered: assign({
      registered: ({ context }, p: { checkpoint: string }) =>
        context.registered.includes(p.checkpoint) ? context.registered : [...context.registered, p.checkpoint],
    }),
    noteEnded: assign({
      ended: ({ context }, p: { checkpoint: string }) =>
        context.ended.includes(p.checkpoint) ? context.ended : [...context.ended, p.checkpoint],
    }),
    noteFailed: assign({ failedCheckpoint: (_, p: { checkpoint: string }) => p.checkpoint }),
    setPercent: assign({
      percent: ({ context }, p: { percent: number | null }) =>
        p.percent === null ? context.percent : Math.min(99, Math.max(0, Math.round(p.percent))),
    }),
  },
}).createMachine({
  id: "hook-task",
  context: ({ input }) => ({
    input: input ?? NO_INPUT,
    attempt: 1,
    leftMs: 0,
    missing: [],
    authorizations: {},
    registered: [],
    ended: [],
    failedCheckpoint: null,
    percent: null,
    linked: [],
    hostSilent: false,
    failure: null,
    marks: [],
  }),
  initial: "PENDING",
  on: {
    "host.silent": { description: "The host can't be asked", actions: "hostIsSilent" },
    "host.answers": { description: "The host answers again", actions: "hostAnswers" },
  },
  states: {
    PENDING: {
      description: "Planned; its turn has not come",
      always: {
        description: "A pressed button starts at once",
        guard: "startsAtOnce",
        target: "COLLECTING",
      },
      on: {
        "parent.start": [
          { description: "A link's turn has come", guard: "isLink", target: "WAITING_APPS" },
          { description: "A hook's turn has come", target: "COLLECTING" },
        ],
        "parent.cancel": { description: "The parent was cancelled", target: "CANCELLED" },
        "user.skip": { description: "A person leaves it out beforehand", target: "SKIPPED", actions: "markSkip" },
        "user.cancel": { description: "A person leaves it out beforehand", target: "CANCELLED", actions: "markSkip" },
      },
    },

    WAITING_APPS: {
      description: "A link waits for the containers of the apps it links",
      entry: {
        type: "host.apps.wait",
        params: ({ context }) => ({
          apps: [...(context.input.link?.apps ?? [])],
          targets: [...(context.input.link?.targets ?? [])],
        }),
      },
      exit: { type: "effect.cancel", params: { name: "host.apps.wait" } },
      on: {
        "host.apps.running": {
          description: "They run",
          target: "COLLECTING",
          actions: { type: "setLinked", params: ({ event }) => ({ linked: event.present }) },
        },
        "host.apps.missing": {
          description: "There is nothing to link",
          target: "FAILED",
          actions: { type: "missing", params: ({ event }) => ({ missing: event.missing }) },
        },
        "parent.cancel": { description: "The parent was cancelled", target: "CANCELLED" },
        "user.cancel": { description: "A person gives this link up", target: "CANCELLED" },
        "user.skip": { description: "A person leaves this link out", target: "SKIPPED" },
        "engine.crashLoop": {
          description: "The engine died here several times in a row",
          target: "FAILED",
          actions: { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
        },
        "engine.effectUnknown": {
          description: "The database was rolled back",
          target: "FAILED",
          actions: { type: "unknown", params: ({ event }) => ({ effect: event.effect }) },
        },
      },
      after: {
        startDeadline: {
          description: "They did not come up in time: this link is given up, the plan goes on",
          target: "FAILED",
          actions: "notStarted",
        },
      },
    },

    COLLECTING: {
      description: "Gathers the inputs: given with the request, handed over by required hooks, else to be asked",
      entry: {
        type: "hook.collectInputs",
        params: ({ context }) => ({ hookId: context.input.hookId }),
      },
      on: {
        "inputs.complete": { description: "Nothing is missing", target: "EXECUTING", actions: "firstAttempt" },
        "inputs.missing": {
          description: "A person has to give some inputs",
          target: "AWAITING_INPUT",
          actions: { type: "setMissing", params: ({ event }) => ({ missing: event.missing }) },
        },
        "parent.cancel": {
          description: "The parent was cancelled",
          target: "CANCELLED",
          actions: { type: "effect.cancel", params: { name: "hook.collectInputs" } },
        },
        "user.cancel": {
          description: "A person gives this hook up",
          target: "CANCELLED",
          actions: ["markSkip", { type: "effect.cancel", params: { name: "hook.collectInputs" } }],
        },
        "engine.crashLoop": [
          {
            description: "The engine died here several times in a row: this link is given up, the plan goes on",
            guard: "failsOnFailure",
            target: "FAILED",
            actions: { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
          },
          {
            description: "The engine died here several times in a row",
            target: "AWAITING_RETRY",
            actions: { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
          },
        ],
        "engine.effectUnknown": {
          description: "The database was rolled back",
          target: "AWAITING_RETRY",
          actions: { type: "unknown", params: ({ event }) => ({ effect: event.effect }) },
        },
      },
    },

    AWAITING_INPUT: {
      description: "The input dialog is open",
      entry: { type: "task.tell", params: { to: "parent", event: { type: "child.waiting" } } },
      exit: [
        { type: "effect.cancel", params: { name: "hook.authorize" } },
        { type: "unmark", params: { mark: "overdue" } },
        { type: "task.tell", params: { to: "parent", event: { type: "child.resumed" } } },
      ],
      always: {
        description: "Every input is there",
        guard: "allGiven",
        target: "EXECUTING",
        actions: "firstAttempt",
      },
      on: {
        "user.input": {
          description: "Values were given and are in the vault",
          actions: { type: "dropGiven", params: ({ event }) => ({ given: event.given }) },
        },
        "oauth.opened": {
          description: "The provider gave a code; the user opens the address",
          actions: {
            type: "setAuthorization",
            params: ({ event }) => ({ input: event.input, authorization: event.authorization }),
          },
        },
        "oauth.granted": {
          description: "The provider gave the token; it is in the vault",
          actions: { type: "dropGiven", params: ({ event }) => ({ given: [event.input] }) },
        },
        "oauth.failed": {
          description: "The code expired or the provider refused; Retry asks for a new one",
          actions: {
            type: "setAuthorization",
            params: ({ event }) => ({ input: event.input, authorization: event.authorization }),
          },
        },
        "oauth.ended": { description: "No authorization is open any more" },
        "engine.crashLoop": {
          description: "The engine died here several times in a row; Retry authorizes again",
          actions: { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
        },
        "engine.effectUnknown": {
          description: "The database was rolled back; Retry authorizes again",
          actions: { type: "unknown", params: ({ event }) => ({ effect: event.effect }) },
        },
        "parent.cancel": { description: "The parent was cancelled", target: "CANCELLED" },
        "user.cancel": { description: "A person gives this hook up", target: "CANCELLED", actions: "markSkip" },
        "user.skip": { description: "A person leaves the hook out", target: "SKIPPED", actions: "markSkip" },
      },
      initial: "OPEN",
      states: {
        OPEN: {
          description: "Asked, within the deadline",
          initial: "ASKING",
          after: {
            inputDeadline: [
              {
                description: "Nobody answered an optional hook of version 6",
                guard: "skipsOnInputTimeout",
                target: "#hook-task.SKIPPED",
              },
              {
                description: "Nobody answered; the task stays open and says so",
                target: "OVERDUE",
                actions: { type: "mark", params: { mark: "overdue" } },
              },
            ],
          },
          states: {
            ASKING: {
              description: "Decides whether an authorization has to be opened beside the questions",
              always: {
                description: "An OAuth input is missing",
                guard: "asksForAuthorization",
                target: "AUTHORIZING",
              },
            },
            AUTHORIZING: {
              description: "The pin flow polls the provider",
              entry: {
                type: "hook.authorize",
                params: ({ context }) => ({
                  hookId: context.input.hookId,
                  inputs: context.missing.filter((input) => input.type === "oauth").map((input) => input.id),
                }),
              },
              on: {
                "user.retry": {
                  description: "A person asks for a new code",
                  target: "AUTHORIZING",
                  reenter: true,
                  actions: ["forgetFailure", { type: "effect.cancel", params: { name: "hook.authorize" } }],
                },
              },
            },
          },
        },
        OVERDUE: {
          description: "The deadline has passed; an answer is still taken",
          on: {
            "user.retry": {
              description: "A person asks for a new code, and gets a new deadline",
              target: "OPEN",
              actions: [
                "forgetFailure",
                { type: "effect.cancel", params: { name: "hook.authorize" } },
                { type: "unmark", params: { mark: "overdue" } },
              ],
            },
          },
        },
      },
    },

    EXECUTING: {
      description: "The script runs in the sandbox",
      entry: [
        "fullTime",
        {
          type: "hook.run",
          params: ({ context }) => ({
            hookId: context.input.hookId,
            event: context.input.event,
            attempt: context.attempt,
            timeoutMs: context.input.timeoutMs,
          }),
        },
      ],
      on: {
        "run.started": {
          description: "A run began, also the fresh one after a restart: the full time is there again",
          target: ".SCRIPT",
          actions: "fullTime",
        },
        "run.delayed": {
          description: "The run begins anew after a restart: no running time passes until its script does",
          target: ".QUEUED",
        },
        "run.answered": { description: "The script has heard the decision" },
        "run.completed": [
          { description: "A link is made", guard: "isLink", target: "NOTIFYING", actions: "forgetFailure" },
          { description: "The entrypoint returned", target: "COMPLETED", actions: "forgetFailure" },
        ],
        "run.failed": [
          {
            description: "Failed with automatic retries left",
            guard: "hasRetries",
            target: "EXECUTING",
            reenter: true,
            actions: ["nextAttempt", { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) }],
          },
          {
            description: "An optional lifecycle hook failed for good",
            guard: "skipsOnFailure",
            target: "SKIPPED",
            actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
          },
          {
            description: "A link failed for good",
            guard: "failsOnFailure",
            target: "FAILED",
            actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
          },
          {
            description: "Failed for good: a person decides",
            target: "AWAITING_RETRY",
            actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
          },
        ],
        "script.registered": [
          {
            description: "Announced again after a fresh start",
            guard: { type: "isRegistered", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
            actions: {
              type: "task.tell",
              params: ({ event }) => ({
                to: event.checkpoint,
                event: { type: "script.registered", message: event.message },
              }),
            },
          },
          {
            description: "A new checkpoint",
            actions: [
              { type: "noteRegistered", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
              {
                type: "task.start",
                params: ({ context, event }) => ({
                  id: event.checkpoint,
                  machine: "checkpoint",
                  kind: "checkpoint",
                  appId: context.input.appId,
                  input: { checkpoint: event.checkpoint, message: event.message ?? event.checkpoint },
                }),
              },
            ],
          },
        ],
        "script.message": {
          description: "A checkpoint's text changes",
          guard: { type: "isRegistered", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
          actions: {
            type: "task.tell",
            params: ({ event }) => ({
              to: event.checkpoint,
              event: { type: "script.message", message: event.message },
            }),
          },
        },
        "script.completed": {
          guard: { type: "isRegistered", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
          description: "A checkpoint is reached",
          actions: [
            { type: "noteEnded", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
            { type: "setPercent", params: ({ event }) => ({ percent: event.percent }) },
            {
              type: "task.tell",
              params: ({ event }) => ({
                to: event.checkpoint,
                event: { type: "script.completed", message: event.message },
              }),
            },
          ],
        },
        "script.skipped": {
          guard: { type: "isRegistered", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
          description: "A checkpoint is left out",
          actions: [
            { type: "noteEnded", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
            {
              type: "task.tell",
              params: ({ event }) => ({
                to: event.checkpoint,
                event: { type: "script.skipped", message: event.message },
              }),
            },
          ],
        },
        "script.progress": {
          description: "The script gives its own percentage",
          actions: { type: "setPercent", params: ({ event }) => ({ percent: event.percent }) },
        },
        "parent.cancel": {
          description: "The parent was cancelled: the run is stopped",
          target: "CANCELLED",
          actions: { type: "effect.cancel", params: { name: "hook.run" } },
        },
        "user.cancel": {
          description: "A person gives this hook up: the run is stopped",
          target: "CANCELLED",
          actions: ["markSkip", { type: "effect.cancel", params: { name: "hook.run" } }],
        },
        "engine.crashLoop": [
          {
            description:
              "The engine died several times in a row while a link's script ran: the plan goes on without it",
            guard: "failsOnFailure",
            target: "FAILED",
            actions: { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
          },
          {
            description: "The engine died several times in a row while the script ran",
            target: "AWAITING_RETRY",
            actions: { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
          },
        ],
        "engine.effectUnknown": {
          description: "The database was rolled back while the script ran",
          target: "AWAITING_RETRY",
          actions: { type: "unknown", params: ({ event }) => ({ effect: event.effect }) },
        },
      },
      initial: "QUEUED",
      states: {
        QUEUED: {
          description: "The script waits for the host or for its place in the sandbox; no running time passes",
        },
        SCRIPT: {
          description: "Running time passes",
          on: {
            "run.started": {
              description: "The run began: the full time counts from here",
              target: "SCRIPT",
              reenter: true,
              actions: "fullTime",
            },
            "script.failed": {
              description: "The script waits at a failed checkpoint",
              guard: { type: "isRegistered", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
              target: "AT_CHECKPOINT",
              actions: [
                { type: "takeTime", params: ({ event }) => ({ ranMs: event.ranMs }) },
                { type: "noteFailed", params: ({ event }) => ({ checkpoint: event.checkpoint }) },
                { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
                {
                  type: "task.tell",
                  params: ({ event }) => ({
                    to: event.checkpoint,
                    event: { type: "script.failed", message: event.message },
                  }),
                },
              ],
            },
          },
          after: {
            timeLeft: [
              {
                description: "The running time is over, automatic retries are left",
                guard: "hasRetries",
                target: "#hook-task.EXECUTING",
                reenter: true,
                actions: ["nextAttempt", "timedOut", { type: "effect.cancel", params: { name: "hook.run" } }],
              },
              {
                description: "The running time of an optional hook is over",
                guard: "skipsOnFailure",
                target: "#hook-task.SKIPPED",
                actions: ["timedOut", { type: "effect.cancel", params: { name: "hook.run" } }],
              },
              {
                description: "The running time of a link is over",
                guard: "failsOnFailure",
                target: "#hook-task.FAILED",
                actions: ["timedOut", { type: "effect.cancel", params: { name: "hook.run" } }],
              },
              {
                description: "The running time is over: a person decides",
                target: "#hook-task.AWAITING_RETRY",
                actions: ["timedOut", { type: "effect.cancel", params: { name: "hook.run" } }],
              },
            ],
          },
        },
        AT_CHECKPOINT: {
          description: "The open script waits for Retry or Skip of one checkpoint; its clock stands still",
          entry: { type: "task.tell", params: { to: "parent", event: { type: "child.waiting" } } },
          exit: { type: "task.tell", params: { to: "parent", event: { type: "child.resumed" } } },
          on: {
            "user.retry": {
              description: "The script goes on from this checkpoint",
              target: "SCRIPT",
              actions: [
                "forgetFailure",
                {
                  type: "task.tell",
                  params: ({ context }) => ({ to: context.failedCheckpoint ?? "", event: { type: "user.retry" } }),
                },
                { type: "hook.answer", params: { choice: "retry" } },
              ],
            },
            "user.skip": {
              description: "The script goes on without this checkpoint",
              target: "SCRIPT",
              actions: [
                "forgetFailure",
                {
                  type: "noteEnded",
                  params: ({ context }) => ({ checkpoint: context.failedCheckpoint ?? "" }),
                },
                {
                  type: "task.tell",
                  params: ({ context }) => ({ to: context.failedCheckpoint ?? "", event: { type: "user.skip" } }),
                },
                { type: "hook.answer", params: { choice: "skip" } },
              ],
            },
          },
        },
      },
    },

    NOTIFYING: {
      description: "Tells the user of every target that was linked",
      entry: {
        type: "notify.linked",
        params: ({ context }) => ({ hookId: context.input.hookId, targets: [...context.linked] }),
      },
      on: {
        "notify.done": { description: "The user was told", target: "COMPLETED" },
        "user.cancel": { description: "The link is made already", target: "COMPLETED" },
        "parent.cancel": { description: "The link is made already", target: "COMPLETED" },
        "engine.crashLoop": { description: "The engine died here several times in a row", target: "COMPLETED" },
        "engine.effectUnknown": { description: "The database was rolled back", target: "COMPLETED" },
      },
    },

    AWAITING_RETRY: {
      description: "Failed for good; Retry and Skip are offered",
      entry: { type: "task.tell", params: { to: "parent", event: { type: "child.waiting" } } },
      exit: { type: "task.tell", params: { to: "parent", event: { type: "child.resumed" } } },
      on: {
        "user.retry": {
          description: "From the beginning, with all automatic retries again",
          target: "COLLECTING",
        },
        "user.input": {
          description: "From the beginning with corrected values: what failed may have been an input",
          target: "COLLECTING",
        },
        "user.skip": { description: "The parent goes on without this hook", target: "SKIPPED", actions: "markSkip" },
        "user.cancel": {
          description: "A person gives this hook up",
          target: "CANCELLED",
          actions: "markSkip",
        },
        "parent.cancel": { description: "The parent was cancelled", target: "CANCELLED" },
      },
    },

    FAILED: {
      description: "A link failed; the plan went on without it",
      entry: {
        type: "task.tell",
        params: ({ context }) => ({
          to: "parent",
          event: { type: "child.ended", state: "FAILED", marks: [...context.marks] },
        }),
      },
      on: {
        "user.retry": {
          description: "A new attempt of the same task",
          target: "WAITING_APPS",
          actions: "forgetFailure",
        },
        "user.dismiss": { description: "A person puts the failure away", target: "DISMISSED" },
        "user.cancel": { description: "The same as dismiss", target: "DISMISSED" },
      },
    },

    COMPLETED: {
      description: "The script ended without a failure",
      type: "final",
      entry: {
        type: "task.tell",
        params: ({ context }) => ({
          to: "parent",
          event: { type: "child.ended", state: "COMPLETED", marks: [...context.marks] },
        }),
      },
    },
    SKIPPED: {
      description: "Left out: by a person, or because it is optional and failed or was not answered",
      type: "final",
      entry: {
        type: "task.tell",
        params: ({ context }) => ({
          to: "parent",
          event: { type: "child.ended", state: "SKIPPED", marks: [...context.marks] },
        }),
      },
    },
    CANCELLED: {
      description: "Given up by a person, or with its parent",
      type: "final",
      entry: {
        type: "task.tell",
        params: ({ context }) => ({
          to: "parent",
          event: { type: "child.ended", state: "CANCELLED", marks: [...context.marks] },
        }),
      },
    },
    DISMISSED: { description: "A failed link was put away", type: "final" },
  },
});
