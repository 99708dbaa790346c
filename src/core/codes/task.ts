import type { CodeText } from "./row.ts";

/** Codes of tasks and their lifecycles. */
export const TASK_CODES = {
  TASK_UNKNOWN: {
    status: 404,
    exit: "usage",
    title: "There is no task with this id",
    hint: "list the tasks to find the id",
  },
  NOTIFICATION_UNKNOWN: {
    status: 404,
    exit: "usage",
    title: "There is no notification with this id",
    hint: "list the notifications to find the id; the newest 1,000 are kept",
  },
  TASK_CONFLICT: {
    title: "Another task works on the same app, or on the same hook and target",
    hint: "wait for the task named, or cancel it",
    see: 'docs/choices.md, "Tasks"',
  },
  TASK_REFUSED: {
    title: "The task does not take this in its present state",
    hint: "look at the task's state and at what it waits for",
    see: 'docs/install-scripts.md, "Tasks of hooks"',
  },
  TASK_DECISION_STALE: {
    title: "The decision answers a question the task no longer asks",
    hint: "look at the task again, then decide about what it asks now",
    see: 'docs/http.md, "Decisions"',
  },
  TASK_QUARANTINED: {
    title: "The task can't be run: its stored state does not fit this version, or its machine broke a rule",
    hint: "retry with a version that knows the task, or dismiss it",
    see: 'docs/choices.md, "Tasks"',
  },
  TASK_ENGINE_CLOSED: {
    title: "The engine was closed",
    hint: "create a new engine on the same database; the task goes on there",
  },
  TASK_ENGINE_DRAINING: {
    status: 503,
    audience: "host",
    title: "The engine is about to close and takes no new work",
    hint: "ask again once it was started anew; what was begun goes on by itself then",
  },
  TASK_CRASH_LOOP: {
    title: "The engine stopped several times in a row while this ran",
    hint: "read the engine's log, then retry or skip",
  },
  TASK_EFFECT_UNKNOWN: {
    title: "The database is older than what was done, so nobody knows what became of a call",
    hint: "look at the host, then retry or skip",
  },
  TASK_HOOK_FAILED: {
    audience: "author",
    title: "A hook's script failed",
    hint: "read the message and the context, then retry or skip",
    see: 'docs/install-scripts.md, "Tasks of hooks"',
  },
  TASK_HOOK_TIMEOUT: {
    audience: "author",
    title: "A hook's script used up its running time",
    hint: "retry, skip, or ask the author for a longer timeout",
    see: 'docs/install-scripts.md, "Limits"',
  },
  TASK_REQUEST_UNCERTAIN: {
    title: "A hook's script had sent a request when the engine stopped, and nobody knows whether it arrived",
    hint: "look at the app whether it did; retry: send it again, skip: give the call up, so that the script sees an error",
    see: 'docs/operating.md, "When something goes wrong"',
  },
  TASK_REPLAY_DIVERGED: {
    audience: "author",
    title: "A hook's script can't go on where the engine stopped: played back, it called something else than before",
    hint: "look at the app for what the hook did already; retry: start it from its beginning, skip: go on without it",
    see: 'docs/operating.md, "When something goes wrong"',
  },
  TASK_LINK_NOT_STARTED: {
    title: "An app of a link did not come up, or is not there",
    hint: "start the app, then retry the link",
    see: 'docs/install-scripts.md, "The plan of links"',
  },
  TASK_CONDITION_NOT_MET: {
    title: "A condition of a hook does not hold, so the hook did not run",
    hint: "see to what the message names, then press the hook where it can be pressed",
    see: 'docs/install-scripts.md, "Conditions"',
  },
  TASK_RERUN_REFUSED: {
    title: "A link was made before, and its hook must not run twice",
    hint: "dismiss the link; install the app anew where it should run again",
    see: 'docs/install-scripts.md, "Fields that go together"',
  },
  TASK_REQUEST_INVALID: {
    status: 400,
    exit: "usage",
    title: "The request has another shape than it may have",
    hint: "correct the members named",
  },
  TASK_HOOK_UNKNOWN: {
    status: 422,
    exit: "usage",
    title: "The request names a hook the app does not have",
    hint: "use the id of one of the app's hooks",
    see: 'docs/choices.md, "Pairings and links"',
  },
  TASK_HOOK_DROPPED: {
    audience: "author",
    status: 422,
    title: "A hook the install needs was dropped: it is invalid, or its script does not compile",
    hint: 'have the author correct the problems, or accept the install without the hook: "acceptDropped" with its id',
    see: 'docs/choices.md, "Lifecycles in order"',
  },
  TASK_INPUT_UNKNOWN: {
    status: 422,
    title: "A value is given for an input the hook does not declare",
    hint: 'give values by input id, {"<input id>": <value>}, with the ids of the inputs the task asks for',
    see: 'docs/install-scripts.md, "HookInput"',
  },
  TASK_INPUT_INVALID: {
    title: "A value does not fit the input's declaration",
    hint: 'give values by input id, {"<input id>": <value>}, each of the declared type',
    see: 'docs/install-scripts.md, "HookInput"',
  },
  TASK_OAUTH_FAILED: {
    title: "The provider did not grant the authorization",
    hint: "retry to get a new code",
    see: 'docs/choices.md, "What a script is given"',
  },
  TASK_OAUTH_REFUSED: {
    audience: "author",
    title: "The provider of a sign-in may not be reached as the script asks",
    hint: "the author: use public https addresses, and the headers the guide for authors lists",
    see: 'docs/choices.md, "What a script is given"',
  },
  TASK_OAUTH_EXPIRED: {
    title: "The authorization code expired before it was used",
    hint: "retry to get a new code",
    see: 'docs/choices.md, "What a script is given"',
  },
  TASK_APP_UNKNOWN: {
    status: 404,
    exit: "usage",
    title: "No app of this id is in the catalog",
    hint: "list the apps, or sync the catalog",
    see: 'docs/choices.md, "Strict for authors, tolerant for users"',
  },
  TASK_SCRIPT_REFUSED: {
    audience: "author",
    title: "The app's install script has an error",
    hint: "correct the problems shown",
    see: 'docs/choices.md, "Strict for authors, tolerant for users"',
  },
  TASK_SNAPSHOT_UNKNOWN: {
    status: 404,
    exit: "usage",
    title: "The app has no snapshot of this name to go back to",
    hint: "list the app's snapshots: slipway rollback APPID --list",
    see: 'docs/operating.md, "Going back"',
  },
  TASK_CRON_INVALID: {
    status: 400,
    exit: "usage",
    title: "The times of a policy are no cron expression",
    hint: "write five fields: minute, hour, day of the month, month, day of the week, e.g. 0 3 * * *",
    see: 'docs/operating.md, "Upgrades"',
  },
  TASK_VERSION_UNKNOWN: {
    status: 404,
    exit: "usage",
    title: "The app can't be upgraded to this version",
    hint: "choose one of those named; slipway upgrade APPID --list shows what is written about them",
    see: 'docs/operating.md, "Upgrades"',
  },
  TASK_VERSION_NOT_NEWER: {
    status: 409,
    exit: "usage",
    title: "An upgrade does not lead to an older version",
    hint: "roll back to a snapshot from before the last upgrade: slipway rollback APPID --list",
    see: 'docs/operating.md, "Going back"',
  },
  TASK_ROLLBACK_IMPOSSIBLE: {
    audience: "owner",
    status: 409,
    title: "Nothing of the snapshot can be brought back",
    hint: "read why; upgrade the app to a version above, or go back to another snapshot",
    see: 'docs/operating.md, "Going back"',
  },
  TASK_ROLLBACK_OVERTAKEN: {
    audience: "owner",
    status: 409,
    title: "The app was changed since this rollback was asked for",
    hint: "dismiss it, and roll back anew where what came since is to go: slipway rollback APPID --list",
    see: 'docs/operating.md, "Going back"',
  },
  TASK_UNINSTALL_STALE: {
    title: "The uninstall would remove more than was shown",
    hint: "look at what it would remove now, then agree to that",
    see: 'docs/http.md, "Before an uninstall"',
  },
  TASK_APP_NOT_INSTALLED: {
    title: "The app is not installed",
    hint: "install it first",
    see: 'docs/choices.md, "Lifecycles in order"',
  },
  TASK_APP_NOT_RUNNING: {
    title: "The app was started and did not come up: it crashed, or took longer than it may",
    hint: "read the app's log on the host, then retry: the app is started again",
  },
  TASK_APP_NOT_STOPPED: {
    title: "The host was told to stop the app, and it still runs",
    hint: "look at the app on the host, then retry",
  },
  TASK_UPDATE_INCOMPATIBLE: {
    audience: "author",
    title: "The newest script does not admit an update from the installed version",
    hint: "upgrade in the order the script's updateCompatibility names",
    see: 'docs/install-scripts.md, "ScriptVersion"',
  },
} as const satisfies Record<string, CodeText>;
