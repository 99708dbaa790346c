/** Shared by the lifecycles, ready-made for `setup`: guards, delays, changes of the context, effects by their names. */
import { assign, enqueueActions } from "xstate";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import { createNotRunningFailure, createNotStoppedFailure, NOT_RUNNING } from "../../src/core/task/task-failures.ts";
import { findDueChild, findMissingNeed, listUnendedChildren } from "./children.ts";
import type { ChildNews, EngineNews, HostNews, LifecycleContext } from "./context.ts";
import { loseSight, markNotRunning, noteNews } from "./news.ts";
import type { PlannedChild } from "./planned-child.ts";

type Args = { readonly context: LifecycleContext };
type AnyEvent = { readonly type: string };
type OfPhase = { readonly phase: PlannedChild["phase"] };
type OfApp = { readonly appId: string };

/** Guards of every lifecycle. */
export const lifecycleGuards = {
  /** A person asked for it; it does not wait for its turn under another task. */
  startsAtOnce: ({ context }: Args) => context.input.waitsForTurn !== true,
  /** The host has done what it was called for. */
  isDone: ({ context }: Args) => isDone(context),
  isDoneByValues: ({ context }: Args) => context.input.byValues === true && isDone(context),
  /** The app is gone, and nobody wants its data gone. */
  isDoneWithData: ({ context }: Args) => context.input.removes === undefined && isDone(context),
  /** The app is gone, and its data is to go as well. */
  isDataLeft: ({ context }: Args) => context.app === "changed" && context.input.removes !== undefined,
  isDoneAndReverts: ({ context }: Args) => context.input.reverts !== undefined && isDone(context),
  isDoneAndRestores: ({ context }: Args) => context.input.restores !== undefined && isDone(context),
  /** The host may have changed the app, and no hook is at work on it. */
  canGoBack: ({ context }: Args) =>
    context.app !== "untouched" && listUnendedChildren(context).every(({ id }) => !(id in context.children)),
  /** Nothing is left to do but that the app runs. */
  isNotUp: ({ context }: Args) => context.failure?.code === NOT_RUNNING,
  /** One of several upgrades has failed, and no other is to follow. */
  stopsHere: ({ context }: Args) =>
    context.input.stopsOnFailure === true &&
    Object.values(context.children).some((state) => state === "FAILED" || state === "QUARANTINED"),
  hasFailed: ({ context }: Args) => context.failure !== null,
  /** The changed app did not come up, and nothing is left to do but that it runs. */
  isDown: ({ context }: Args) => context.isDown === true,
  /** The app is changed as it was to be, and something after that has failed. */
  isChangedAndFailed: ({ context }: Args) => context.failure !== null && context.app === "changed",
  /** The turn of a child of the phase has come. */
  isDue: ({ context }: Args, { phase }: OfPhase) => findDueChild(context, phase) !== null,
  /** The turn of a child of the phase has come, and what it needs is not there. */
  isStranded: ({ context }: Args, { phase }: OfPhase) => findMissingNeed(context, phase) !== null,
  /** No child of the phase is left, and the policies are to be set. */
  isOverAndSetsPolicies: ({ context }: Args, { phase }: OfPhase) =>
    context.input.policies !== undefined && !listUnendedChildren(context).some((child) => child.phase === phase),
  /** No child of the phase is left. */
  isOver: ({ context }: Args, { phase }: OfPhase) =>
    !listUnendedChildren(context).some((child) => child.phase === phase),
  /** No host call is under way and every child has ended. */
  isQuiet: ({ context }: Args) => isQuiet(context),
  isQuietAndDismissed: ({ context }: Args) => context.ending === "DISMISSED" && isQuiet(context),
};

function isDone({ calling, failure }: LifecycleContext): boolean {
  return calling === "nothing" && failure === null;
}

function isQuiet(context: LifecycleContext): boolean {
  return context.calling === "nothing" && listUnendedChildren(context).length === 0;
}

/** Delays of every lifecycle. */
export const lifecycleDelays = {
  runningDeadline: ({ context }: Args) => context.input.runningDeadlineMs ?? 0,
};

/** Actions of a lifecycle that takes these events. */
export function createLifecycleActions<E extends AnyEvent>() {
  return Object.assign(createContextChanges<E>(), createChildOrders<E>(), effects);
}

/** The calls a lifecycle asks the host for, and what the turn carries out itself. */
const effects = {
  "host.directories": (_: unknown, _params: OfApp & { readonly missingOnly?: boolean; readonly made?: string[] }) => {},
  "host.snapshots": (
    _: unknown,
    _params: OfApp & {
      readonly purpose: "upgrade" | "update" | "uninstall" | "rollback";
      readonly paths?: string[];
    },
  ) => {},
  "host.app.delete": (_: unknown, _params: OfApp & { readonly withVolumes: boolean }) => {},
  "host.directories.remove": (
    _: unknown,
    _params: OfApp & {
      readonly paths: string[];
      readonly held: Record<string, string>;
      readonly keepsAnswers?: true;
    },
  ) => {},
  "host.app.create": (_: unknown, _params: OfApp) => {},
  /** `wanted`: by a person, so one that crashed too. */
  "host.app.start": (_: unknown, _params: OfApp & { readonly wanted?: true }) => {},
  "host.app.stop": (_: unknown, _params: OfApp) => {},
  "host.app.upgrade": (_: unknown, _params: OfApp) => {},
  "host.app.update": (_: unknown, _params: OfApp) => {},
  /** Looks at the app, which stays as it is. */
  "host.app.adopt": (_: unknown, _params: OfApp) => {},
  "host.app.rollback": (_: unknown, _params: OfApp) => {},
  "host.datasets.restore": (_: unknown, _params: OfApp) => {},
  "host.app.wait": (_: unknown, _params: OfApp) => {},
  "host.app.waitStopped": (_: unknown, _params: OfApp) => {},
  "host.ownership": (_: unknown, _params: OfApp) => {},
  "policies.keep": (_: unknown, _params: { readonly policies: JsonObject }) => {},
  "effect.cancel": (_: unknown, _params: { readonly name: string }) => {},
  "effect.cancelAll": () => {},
  "task.start": (_: unknown, _params: Readonly<Record<string, Json>>) => {},
  "task.tell": (_: unknown, _params: { readonly to: string; readonly event: { readonly type: string } }) => {},
};

/** Changes of what is known. */
function createContextChanges<E extends AnyEvent>() {
  return {
    /** Keeps what the host, the engine or a child tells. */
    note: assign<LifecycleContext, E, HostNews | EngineNews | ChildNews, E, never>(({ context }, news) =>
      noteNews(context, news),
    ),
    /** A host call begins that leaves the app as it is. */
    callHost: assign<LifecycleContext, E, undefined, E, never>({ calling: "host", percent: 0 }),
    /** The host call begins that changes the app. */
    callApp: assign<LifecycleContext, E, undefined, E, never>({ calling: "app", percent: 0 }),
    markNotRunning: assign<LifecycleContext, E, undefined, E, never>(({ context }) => markNotRunning(context)),
    markPoliciesUnknown: assign<LifecycleContext, E, undefined, E, never>(({ context }) => ({
      marks: [...context.marks, "policiesUnknown"],
    })),
    markRolledBack: assign<LifecycleContext, E, undefined, E, never>(({ context }) => ({
      marks: [...context.marks, "rolledBack"],
    })),
    failNotRunning: assign<LifecycleContext, E, undefined, E, never>(({ context }) => ({
      failure: createNotRunningFailure(context.appState),
    })),
    markDown: assign<LifecycleContext, E, undefined, E, never>({ isDown: true }),
    markUp: assign<LifecycleContext, E, undefined, E, never>({ isDown: false }),
    failNotStopped: assign<LifecycleContext, E, undefined, E, never>(({ context }) => ({
      failure: createNotStoppedFailure(context.appState),
    })),
    /** A new attempt looks at the app first: what the last one did to it no longer counts. */
    forgetAttempt: assign<LifecycleContext, E, undefined, E, never>({ failure: null, app: "untouched", work: {} }),
    forgetFailure: assign<LifecycleContext, E, undefined, E, never>({ failure: null }),
    dismiss: assign<LifecycleContext, E, undefined, E, never>({ ending: "DISMISSED" }),
  };
}

type TurnAction =
  | { type: "effect.cancelAll"; params: undefined }
  | { type: "task.start"; params: Readonly<Record<string, Json>> }
  | { type: "task.tell"; params: { readonly to: string; readonly event: { readonly type: string } } };

/** Orders of a parent about its children, for the turn to carry out. */
function createChildOrders<E extends AnyEvent>() {
  return {
    /** A row for every child, so that the whole checklist is visible from the first turn on. */
    planChildren: enqueueActions<LifecycleContext, E, undefined, E, never, TurnAction, never, never, never>(
      ({ context, enqueue }) => {
        for (const { phase: _phase, needs: _needs, ...child } of context.input.children ?? []) {
          enqueue({ type: "task.start", params: child });
        }
      },
    ),
    startChild: enqueueActions<LifecycleContext, E, OfPhase, E, never, TurnAction, never, never, never>(
      ({ context, enqueue }, { phase }) => {
        const child = findDueChild(context, phase);
        if (child === null) return;
        enqueue.assign({ children: { ...context.children, [child.id]: "RUNNING" } });
        enqueue({ type: "task.tell", params: { to: child.id, event: { type: "parent.start" } } });
      },
    ),
    /** The child whose turn has come is left out: what it needs is not there. */
    strandChild: enqueueActions<LifecycleContext, E, OfPhase, E, never, TurnAction, never, never, never>(
      ({ context, enqueue }, { phase }) => {
        const child = findDueChild(context, phase);
        const need = findMissingNeed(context, phase);
        if (child === null || need === null) return;
        enqueue.assign({
          children: { ...context.children, [child.id]: "RUNNING" },
          marks: [...context.marks, `linkDropped: ${child.id}: "${need}" is not there`],
        });
        enqueue({ type: "task.tell", params: { to: child.id, event: { type: "parent.cancel" } } });
      },
    ),
    cancelChildren: enqueueActions<LifecycleContext, E, undefined, E, never, TurnAction, never, never, never>(
      ({ context, enqueue }) => {
        for (const { id } of listUnendedChildren(context)) {
          enqueue({ type: "task.tell", params: { to: id, event: { type: "parent.cancel" } } });
        }
      },
    ),
    /** A person insists: nobody waits for what is under way any more. */
    giveUp: enqueueActions<LifecycleContext, E, undefined, E, never, TurnAction, never, never, never>(
      ({ context, enqueue }) => {
        enqueue.assign(loseSight(context));
        enqueue("effect.cancelAll");
      },
    ),
  };
}
