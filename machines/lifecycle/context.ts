import type { Failure } from "../../src/core/codes/problems.ts";
import type { JsonObject } from "../../src/core/json/json.ts";
import type { AppKnown, WorkDone } from "../../src/core/task/task-failures.ts";
import type { ChildState } from "../../src/core/task-states.ts";
import type { PlannedChild } from "./planned-child.ts";

/** JSON without secrets: it is kept in the event log. */
export type LifecycleInput = {
  readonly appId: string;
  /** Name of the app for people. */
  readonly title: string;
  /** Marks known from the start, e.g. hooks that were dropped. */
  readonly marks: readonly string[];
  /** Hooks, links and installs of missing targets, in the order they take their turns. */
  readonly children?: readonly PlannedChild[];
  /** Planned under another task: starts when its turn comes. */
  readonly waitsForTurn?: boolean;
  /** Planned under an import: no link brings it along. */
  readonly isImported?: true;
  /** How long the app may take until it runs, or has stopped, in ms. */
  readonly runningDeadlineMs?: number;
  /** Directories of an uninstall that takes the app's data with it: host paths, the innermost first. */
  readonly removes?: readonly string[];
  /** An uninstall after which data stays that the answers and secrets fit. */
  readonly keepsAnswers?: true;
  /** A rollback that brings back the version, as people see it, or the values alone, by these methods of the host. */
  readonly reverts?: { readonly version: string; readonly calls: readonly string[] };
  /** Datasets a rollback restores: host paths. */
  readonly restores?: readonly string[];
  /** An upgrade by values of a newer script, as of a custom app: they may need new directories. */
  readonly byValues?: true;
  /** With `byValues`: of a package of the host, which takes them with its new version. */
  readonly isPackage?: true;
  /** Versions an upgrade departs from and leads to; the former where it is known. */
  readonly from?: string;
  readonly to?: string;
  /** Upgrades of several apps of which none is begun any more once one has failed. */
  readonly stopsOnFailure?: true;
  /** Upgrade policies that come with the apps of an import. */
  readonly policies?: JsonObject;
};

/** Changes of a lifecycle on the host, by kind: paths, share names, `dataset@name`. */
export type WorkList = {
  readonly directories?: readonly string[];
  readonly shares?: readonly string[];
  readonly snapshots?: readonly string[];
  /** Paths whose ownership was repaired. */
  readonly repaired?: readonly string[];
  /** Directories that are gone, datasets that were emptied, and own directories with something left in them. */
  readonly removed?: readonly string[];
  readonly emptied?: readonly string[];
  readonly left?: readonly string[];
  /** The snapshot (`dataset@name`) the last attempt took of each path that is to go; a path it did not find has none. */
  readonly held?: Readonly<Record<string, string>>;
  /** Paths of restored datasets, and the datasets that hold what was there before. */
  readonly restored?: readonly string[];
  readonly setAside?: readonly string[];
  /** The app's answers and generated secrets are gone too. */
  readonly forgotten?: true;
  /** Methods of the host that started or stopped the app; of a rollback also those that brought back version and values. */
  readonly calls?: readonly string[];
};

/** JSON without secrets: it is kept in the task's row. */
export interface LifecycleContext {
  readonly input: LifecycleInput;
  /** The state of every child that was told to start or was told of, by id. */
  readonly children: Readonly<Record<string, ChildState>>;
  /** The call the host is at work on; `app` is the one that changes the app. */
  readonly calling: "nothing" | "host" | "app";
  readonly app: AppKnown;
  readonly work: WorkList;
  /** The app's state as the host told it last. */
  readonly appState: string | null;
  /** The changed app did not come up: its owners are repaired before it is started again. */
  readonly isDown?: boolean;
  /** Of the host's job, 0-100. */
  readonly percent: number;
  readonly ending: "CANCELLED" | "DISMISSED";
  readonly failure: Failure | null;
  readonly marks: readonly string[];
}

/** News of a call under way, and its end. */
export type HostNews =
  | { readonly type: "host.app.progress"; readonly percent: number }
  | { readonly type: "host.app.seen"; readonly state: string }
  /** What is gone so far, and what is to go. */
  | ({ readonly type: "host.removing" } & WorkList)
  /** What is back so far. */
  | ({ readonly type: "host.restoring" } & WorkList)
  | ({ readonly type: "host.done"; readonly marks?: readonly string[] } & WorkList)
  | ({ readonly type: "host.failed" } & CallFailure);

/** The engine can't go on with what was under way. */
export type EngineNews = { readonly type: "engine.failed" } & CallFailure;

/** How a call failed; `done` is of its work on the app and absent where it could not have changed it. */
type CallFailure = WorkList & {
  readonly failure: Failure;
  readonly done?: WorkDone;
  readonly marks?: readonly string[];
};

/** A child came to this state, told by the turn; `marks` are those it leaves on its parent. */
export type ChildNews = {
  readonly type: "child.changed";
  readonly from: string;
  readonly state: ChildState;
  readonly marks: readonly string[];
};

/** Events every lifecycle takes. */
export type LifecycleEvent =
  | HostNews
  | EngineNews
  | ChildNews
  | { readonly type: "user.cancel" }
  | { readonly type: "user.retry" }
  | { readonly type: "user.dismiss" };

/** Orders of the task it is planned under. */
export type ParentEvent = { readonly type: "parent.start" } | { readonly type: "parent.cancel" };

/** How the wait for a started app ends; it may end by a deadline too. */
export type AppStartEvent = { readonly type: "app.running" } | { readonly type: "app.crashed" };

/** How the wait for an app that was told to stop ends; it may end by a deadline too. */
export type AppStopEvent = { readonly type: "app.stopped" };

/** The context a lifecycle begins with. xstate asks for it without an input too, to look at the machine. */
export function beginLifecycle(input: LifecycleInput | undefined): LifecycleContext {
  return {
    input: input ?? { appId: "", title: "", marks: [] },
    children: {},
    calling: "nothing",
    app: "untouched",
    work: {},
    appState: null,
    percent: 0,
    ending: "CANCELLED",
    failure: null,
    marks: input?.marks ?? [],
  };
}

/** The directories of an app; what failed attempts made is still the task's to finish. */
export function listDirectories({ input, work }: LifecycleContext) {
  return { appId: input.appId, made: [...(work.directories ?? [])] };
}

/** Of these, the ones that are not there yet. */
export function listMissingDirectories(context: LifecycleContext) {
  return { ...listDirectories(context), missingOnly: true };
}
