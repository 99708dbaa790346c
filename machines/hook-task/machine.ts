/**
 * One run of one hook: a lifecycle firing, a link, or a button someone pressed.
 *
 * Invariants:
 * 1. The script runs only in EXECUTING, one run at a time; leaving it for good stops the run.
 * 2. `timeLeft` counts running time: not while the script waits for the host, for its place in the sandbox or for its
 *    replay after a restart, nor while a person decides. It is whole where a run begins, and adds up where one goes on.
 * 3. No input value is in the context: inputs are named here and kept in the vault.
 * 4. A script reports on a checkpoint only after `script.registered` named it.
 * 5. A script whose conditions do not hold when its turn comes never starts: a lifecycle hook is SKIPPED, a link waits for
 *    its apps and conditions, then FAILED. Each target linked is told of once the script completed.
 * 6. `optional` (onFailure "skip") skips lifecycle firings only; a failed link ends FAILED, everything else waits for a person.
 * 7. What a person is asked at AT_CHECKPOINT and AT_REQUEST stands over restarts; a script that can't go on where it was
 *    (`run.diverged`) begins again only when a person says so.
 */
import { setup } from "xstate";
import { beginHookTask, linkMade } from "./context.ts";
import { hookTaskActions, hookTaskDelays, hookTaskGuards } from "./implementations.ts";
import type { HookTaskContext, HookTaskEvent, HookTaskInput } from "./types.ts";

/** The run of one hook. */
export const hookTaskMachine = setup({
  types: { context: {} as HookTaskContext, events: {} as HookTaskEvent, input: {} as HookTaskInput },
  actions: hookTaskActions,
  guards: hookTaskGuards,
  delays: hookTaskDelays,
}).createMachine({
  id: "hook-task",
  context: ({ input }) => beginHookTask(input),
  initial: "PENDING",
  states: {
    PENDING: {
      description: "Planned; its turn has not come",
      always: { description: "A pressed button starts at once", guard: "startsAtOnce", target: "ACTIVE.COLLECTING" },
      on: {
        "parent.start": [
          { description: "A link's turn has come", guard: "isLink", target: "ACTIVE.WAITING_APPS" },
          { description: "The turn of a hook with conditions has come", guard: "isToJudge", target: "ACTIVE.JUDGING" },
          { description: "A hook's turn has come", target: "ACTIVE.COLLECTING" },
        ],
        "parent.cancel": { description: "The parent was cancelled", target: "CANCELLED" },
        "user.skip": { description: "A person leaves it out beforehand", target: "SKIPPED", actions: "markSkip" },
        "user.cancel": { description: "A person leaves it out beforehand", target: "CANCELLED", actions: "markSkip" },
      },
    },

    ACTIVE: {
      description: "At work or asking for inputs; leaving a state ends what it had running",
      initial: "COLLECTING",
      on: {
        "parent.cancel": { description: "The parent was cancelled", target: "CANCELLED" },
        "user.cancel": { description: "A person gives this hook up", target: "CANCELLED", actions: "markSkip" },
        "engine.failed": {
          description: "The engine died here several times in a row",
          target: ".STOPPED",
          actions: { type: "setFailure", params: ({ event }) => event },
        },
      },
      states: {
        JUDGING: {
          description: "Finds out whether the hook's conditions hold now",
          entry: { type: "hook.judge", params: ({ context }) => ({ hookId: context.input.hookId }) },
          exit: { type: "effect.cancel", params: { name: "hook.judge" } },
          on: {
            "conditions.met": { description: "They all do", target: "COLLECTING", actions: "admit" },
            "conditions.unmet": {
              description: "One does not: the hook is left out",
              target: "#hook-task.SKIPPED",
              actions: [{ type: "setFailure", params: ({ event }) => event }, "markUnmet"],
            },
            "user.skip": { description: "A person leaves it out", target: "#hook-task.SKIPPED", actions: "markSkip" },
          },
        },

        WAITING_APPS: {
          description: "A link waits for the containers of the apps it links, and for its conditions",
          entry: {
            type: "host.apps.wait",
            params: ({ context }) => ({ hookId: context.input.hookId, apps: [...(context.input.link?.apps ?? [])] }),
          },
          exit: { type: "effect.cancel", params: { name: "host.apps.wait" } },
          on: {
            "host.apps.pending": {
              description: "What stands in the way has changed",
              actions: { type: "setPending", params: ({ event }) => event },
            },
            "host.apps.running": { description: "They run, every condition holds", target: "COLLECTING" },
            "host.apps.never": {
              description: "No waiting helps: there is nothing to link, or a condition never holds",
              target: "#hook-task.FAILED",
              actions: { type: "setFailure", params: ({ event }) => event },
            },
            "user.skip": { description: "A person leaves this link out", target: "#hook-task.SKIPPED" },
          },
          after: {
            startDeadline: {
              description: "They did not come up in time: this link is given up, the plan goes on",
              target: "#hook-task.FAILED",
              actions: "notStarted",
            },
          },
        },

        COLLECTING: {
          description: "Gathers the inputs: given with the request, handed over by required hooks, else to be asked",
          entry: { type: "hook.collectInputs", params: ({ context }) => ({ hookId: context.input.hookId }) },
          exit: [{ type: "effect.cancel", params: { name: "hook.collectInputs" } }, "keepCorrections"],
          on: {
            "inputs.complete": { description: "Nothing is missing", target: "EXECUTING", actions: "firstAttempt" },
            "inputs.missing": {
              description: "A person has to give some inputs",
              target: "AWAITING_INPUT",
              actions: { type: "setMissing", params: ({ event }) => event },
            },
          },
        },

        AWAITING_INPUT: {
          description: "The input dialog is open",
          exit: [{ type: "effect.cancel", params: { name: "hook.authorize" } }, "unmarkOverdue"],
          always: { description: "All are there", guard: "allGiven", target: "EXECUTING", actions: "firstAttempt" },
          on: {
            "user.input": {
              description: "Values were given and are in the vault",
              actions: { type: "dropGiven", params: ({ event }) => event },
            },
            "oauth.opened": {
              description: "The provider gave a code; the user opens the address",
              actions: { type: "setAuthorization", params: ({ event }) => event },
            },
            "oauth.granted": {
              description: "The provider gave the token; it is in the vault",
              actions: { type: "dropGiven", params: ({ event }) => ({ given: [event.input] }) },
            },
            "oauth.failed": {
              description: "The code expired or the provider refused; Retry asks for a new one",
              actions: { type: "setAuthorization", params: ({ event }) => event },
            },
            "oauth.ended": { description: "No authorization is open any more" },
            "engine.failed": {
              description: "The engine died here several times in a row; Retry authorizes again",
              actions: { type: "setFailure", params: ({ event }) => event },
            },
            "user.skip": { description: "A person leaves it out", target: "#hook-task.SKIPPED", actions: "markSkip" },
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
                  { description: "Nobody answered; the task says so", target: "OVERDUE", actions: "markOverdue" },
                ],
              },
              states: {
                ASKING: {
                  description: "Decides whether an authorization has to be opened beside the questions",
                  always: { description: "A sign-in is missing", guard: "asksForAuthorization", target: "AUTHORIZING" },
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
                    "unmarkOverdue",
                    { type: "effect.cancel", params: { name: "hook.authorize" } },
                  ],
                },
              },
            },
          },
        },

        EXECUTING: {
          description: "The script runs in the sandbox",
          entry: [
            "beginRun",
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
          exit: [{ type: "effect.cancel", params: { name: "hook.run" } }, "unmarkNotResumable"],
          on: {
            "run.started": { description: "A run began, in full time", target: ".SCRIPT", actions: "beginRun" },
            "run.delayed": { description: "It begins or goes on after a restart; no time passes", target: ".QUEUED" },
            "run.resumed": {
              description: "The script stands where it was and goes on: running time adds up over restarts",
              target: ".SCRIPT",
              actions: { type: "setTimeLeft", params: ({ event }) => event },
            },
            "run.uncertain": {
              description: "Nobody knows whether a request arrived that had left when the engine died",
              guard: "asksNobody",
              target: ".AT_REQUEST",
              actions: { type: "askAboutRequest", params: ({ event }) => event },
            },
            "run.diverged": {
              description: "Played back after a restart, the script called something else than before",
              target: "STOPPED",
              actions: { type: "setFailure", params: ({ event }) => event },
            },
            "run.notResumable": { description: "A crash would start it anew", actions: "markNotResumable" },
            "run.answered": { description: "The script has heard the decision" },
            "run.completed": [
              {
                description: "A link is made",
                guard: "isLink",
                target: "#hook-task.NOTIFYING",
                actions: "forgetFailure",
              },
              { description: "The entrypoint returned", target: "#hook-task.COMPLETED", actions: "forgetFailure" },
            ],
            "run.failed": {
              description: "The script failed",
              target: ".FAILING",
              actions: { type: "setFailure", params: ({ event }) => event },
            },
            "script.registered": {
              description: "The script announces a checkpoint, maybe again after a fresh start",
              actions: { type: "registerCheckpoint", params: ({ event }) => event },
            },
            "script.message": {
              description: "A checkpoint's text changes",
              guard: { type: "isRegistered", params: ({ event }) => event },
              actions: { type: "tellCheckpoint", params: ({ event }) => event },
            },
            "script.completed": {
              description: "A checkpoint is reached",
              guard: { type: "isRegistered", params: ({ event }) => event },
              actions: { type: "endCheckpoint", params: ({ event }) => event },
            },
            "script.skipped": {
              description: "A checkpoint is left out",
              guard: { type: "isRegistered", params: ({ event }) => event },
              actions: { type: "endCheckpoint", params: ({ event }) => event },
            },
            "script.progress": {
              description: "The script gives its own percentage",
              actions: { type: "setPercent", params: ({ event }) => event },
            },
          },
          initial: "QUEUED",
          states: {
            QUEUED: {
              description:
                "The script waits for the host, for its place in the sandbox or to be played back: no time passes",
            },
            SCRIPT: {
              description: "Running time passes",
              on: {
                "script.failed": {
                  description: "The script waits at a failed checkpoint",
                  guard: { type: "isRegistered", params: ({ event }) => event },
                  target: "AT_CHECKPOINT",
                  actions: { type: "failCheckpoint", params: ({ event }) => event },
                },
              },
              after: {
                timeLeft: { description: "The running time is over", target: "FAILING", actions: "timedOut" },
              },
            },
            FAILING: {
              description: "The attempt has failed; what follows depends on the hook",
              always: [
                {
                  description: "Automatic retries are left",
                  guard: "hasRetries",
                  target: "#hook-task.ACTIVE.EXECUTING",
                  reenter: true,
                  actions: "nextAttempt",
                },
                { description: "An optional lifecycle hook", guard: "skipsOnFailure", target: "#hook-task.SKIPPED" },
                { description: "Nothing goes on by itself", target: "#hook-task.ACTIVE.STOPPED" },
              ],
            },
            AT_CHECKPOINT: {
              description: "The script waits for Retry or Skip of one checkpoint; its clock stands still",
              on: {
                "run.delayed": { description: "The engine was started again; the person is still asked" },
                "run.resumed": { description: "The script stands at this checkpoint again; the person is still asked" },
                "user.retry": { description: "It goes on from here", target: "SCRIPT", actions: "retryCheckpoint" },
                "user.skip": { description: "It goes on without it", target: "SCRIPT", actions: "skipCheckpoint" },
              },
            },
            AT_REQUEST: {
              description: "A person says what to do about a request that may have arrived; the clock stands still",
              on: {
                "run.delayed": { description: "The engine was started again; the person is still asked" },
                "run.resumed": { description: "The script stands where it was; the person is still asked" },
                "user.retry": { description: "It is sent again", target: "QUEUED", actions: "sendAgain" },
                "user.skip": {
                  description: "It is given up: the script sees an error",
                  target: "QUEUED",
                  actions: "giveUp",
                },
              },
            },
          },
        },

        STOPPED: {
          description: "Nothing of it goes on by itself",
          always: [
            {
              description: "A link is given up, the plan goes on",
              guard: "failsOnFailure",
              target: "#hook-task.FAILED",
            },
            { description: "A person decides", target: "#hook-task.AWAITING_RETRY" },
          ],
        },
      },
    },

    NOTIFYING: {
      description: "Tells the user of every target that was linked; the link is made already",
      entry: [{ type: "task.notify", params: ({ context }) => linkMade(context) }, "notify.linked"],
      on: {
        "notify.done": { description: "The user was told", target: "COMPLETED" },
        "user.cancel": { description: "There is nothing left to give up", target: "COMPLETED" },
        "parent.cancel": { description: "There is nothing left to give up", target: "COMPLETED" },
        "engine.failed": { description: "The engine died here several times in a row", target: "COMPLETED" },
      },
    },

    AWAITING_RETRY: {
      description: "Failed for good; Retry and Skip are offered",
      on: {
        "user.retry": [
          { description: "Nobody found out whether it may run", guard: "isToJudge", target: "ACTIVE.JUDGING" },
          { description: "From the beginning, with all automatic retries again", target: "ACTIVE.COLLECTING" },
        ],
        "user.input": {
          description: "From the beginning: what failed may have been an input",
          guard: "takesCorrections",
          target: "ACTIVE.COLLECTING",
        },
        "user.skip": { description: "The parent goes on without this hook", target: "SKIPPED", actions: "markSkip" },
        "user.cancel": { description: "A person gives this hook up", target: "CANCELLED", actions: "markSkip" },
        "parent.cancel": { description: "The parent was cancelled", target: "CANCELLED" },
      },
    },

    FAILED: {
      description: "A link failed; the plan went on without it",
      on: {
        "user.retry": { description: "A new attempt", target: "ACTIVE.WAITING_APPS", actions: "forgetFailure" },
        "user.dismiss": { description: "A person puts the failure away", target: "DISMISSED" },
        "user.cancel": { description: "The same as dismiss", target: "DISMISSED" },
      },
    },

    COMPLETED: { description: "The script ended without a failure", type: "final" },
    SKIPPED: {
      description: "Left out: by a person, by its conditions, or because it is optional and failed or was not answered",
      type: "final",
    },
    CANCELLED: { description: "Given up by a person, or with its parent", type: "final" },
    DISMISSED: { description: "A failed link was put away", type: "final" },
  },
});
