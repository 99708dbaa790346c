import type { CommandRow } from "./command.ts";

/** Every command, in the order of the help; what a command uses is loaded when it is called. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "new",
    summary: "Writes the files of a new app: script, hook, widget, fake, and what the editor needs",
    load: async () => (await import("./commands/author/new.ts")).defineNew,
  },
  {
    name: "validate",
    summary: "Checks install scripts, or every install script in a directory",
    load: async () => (await import("./commands/author/validate.ts")).defineValidate,
  },
  {
    name: "check",
    summary: "Plays the apps of a catalog on an embedded host and says how far each can be trusted",
    load: async () => (await import("./commands/author/check.ts")).defineCheck,
  },
  {
    name: "explain",
    summary: "Explains a code of a problem, failure or error",
    load: async () => (await import("./commands/explain.ts")).defineExplain,
  },
  {
    name: "schema",
    summary: "Prints the JSON Schema of install scripts",
    load: async () => (await import("./commands/schema.ts")).defineSchema,
  },
  {
    name: "plan",
    summary: "Shows what an install of a script would do on a host described by a file",
    load: async () => (await import("./commands/author/plan.ts")).definePlan,
  },
  {
    name: "run-hook",
    summary: "Runs one hook or widget script against a context file, without an engine or a host",
    load: async () => (await import("./commands/author/run-hook.ts")).defineRunHook,
  },
  {
    name: "record",
    summary: "Runs a hook or widget against a real app and writes the app's fake from its answers",
    load: async () => (await import("./commands/author/record.ts")).defineRecord,
  },
  {
    name: "dev",
    summary: "Serves a catalog on an embedded host while it is edited: checks what is saved, and runs the hook again",
    load: async () => (await import("./commands/author/dev.ts")).defineDev,
  },
  {
    name: "health",
    summary: "Shows which protection layers of the sandbox this machine provides",
    load: async () => (await import("./commands/health.ts")).defineHealth,
  },
  {
    name: "pairings",
    summary: "Shows the pairings derived for an app, in both directions",
    load: async () => (await import("./commands/pairings.ts")).definePairings,
  },
  {
    name: "install",
    summary: "Installs an app",
    load: async () => (await import("./commands/install.ts")).defineLifecycle("install"),
  },
  {
    name: "upgrade",
    summary: "Upgrades an installed app to the newest version or the one named, or all apps",
    load: async () => (await import("./commands/upgrade.ts")).defineUpgrade,
  },
  {
    name: "upgrade-policy",
    summary: "Shows or sets when upgrades begin by themselves",
    load: async () => (await import("./commands/upgrade-policy.ts")).defineUpgradePolicy,
  },
  {
    name: "update",
    summary: "Changes the options of an installed app, or brings it to a newer script",
    load: async () => (await import("./commands/install.ts")).defineLifecycle("update"),
  },
  {
    name: "start",
    summary: "Starts an installed app, and waits until it runs",
    load: async () => (await import("./commands/install.ts")).defineSwitch("startApp"),
  },
  {
    name: "stop",
    summary: "Stops an installed app",
    load: async () => (await import("./commands/install.ts")).defineSwitch("stopApp"),
  },
  {
    name: "restart",
    summary: "Stops an installed app, starts it, and waits until it runs",
    load: async () => (await import("./commands/install.ts")).defineSwitch("restartApp"),
  },
  {
    name: "uninstall",
    summary: "Removes an installed app; its data and answers stay unless told otherwise",
    load: async () => (await import("./commands/uninstall.ts")).defineUninstall,
  },
  {
    name: "adopt",
    summary: "Takes over an app that was installed by other means, as it is",
    load: async () => (await import("./commands/adopt.ts")).defineAdopt,
  },
  {
    name: "rollback",
    summary: "Takes an installed app back to what it was before an upgrade or update",
    load: async () => (await import("./commands/rollback.ts")).defineRollback,
  },
  {
    name: "action",
    summary: "Runs an action of an installed app",
    load: async () => (await import("./commands/install.ts")).defineAction,
  },
  {
    name: "tasks",
    summary: "Lists tasks, newest first",
    load: async () => (await import("./commands/tasks.ts")).defineTasks,
  },
  {
    name: "task",
    summary: "Shows one task with its children and checkpoints",
    load: async () => (await import("./commands/tasks.ts")).defineTask,
  },
  {
    name: "notifications",
    summary: "Lists what people were told, newest first",
    load: async () => (await import("./commands/notifications.ts")).defineNotifications,
  },
  {
    name: "audit",
    summary: "Lists who changed what, or was refused it, newest first",
    load: async () => (await import("./commands/database/audit.ts")).defineAudit,
  },
  {
    name: "drift",
    summary: "Looks for what the host has otherwise than the engine left it; nothing is changed",
    load: async () => (await import("./commands/drift.ts")).defineDrift,
  },
  {
    name: "retry",
    summary: "Retries a failed task or hook, or resumes an interrupted task",
    load: async () => (await import("./commands/tasks.ts")).defineAnswer("retry"),
  },
  {
    name: "skip",
    summary: "Skips a hook or checkpoint that waits for a decision",
    load: async () => (await import("./commands/tasks.ts")).defineAnswer("skip"),
  },
  {
    name: "cancel",
    summary: "Cancels a task",
    load: async () => (await import("./commands/tasks.ts")).defineEnding("cancel"),
  },
  {
    name: "dismiss",
    summary: "Dismisses a failed task: nothing more is done for it",
    load: async () => (await import("./commands/tasks.ts")).defineEnding("dismiss"),
  },
  {
    name: "input",
    summary: "Gives a hook the inputs it waits for",
    load: async () => (await import("./commands/tasks.ts")).defineInput,
  },
  {
    name: "serve",
    summary: "Serves the engine over HTTP",
    load: async () => (await import("./commands/serve.ts")).defineServe,
  },
  {
    name: "export",
    summary: "Writes what the installed apps were set up with, for another box; no data of apps",
    load: async () => (await import("./commands/database/export.ts")).defineExport,
  },
  {
    name: "import",
    summary: "Sets up the apps of an export that this engine does not look after yet, with links and policies",
    load: async () => (await import("./commands/database/import.ts")).defineImport,
  },
  {
    name: "backup",
    summary: "Copies the database into one file, also while an engine runs on it",
    load: async () => (await import("./commands/database/backup.ts")).defineBackup,
  },
  {
    name: "restore",
    summary: "Puts a backup in the database's place; the one before it is kept",
    load: async () => (await import("./commands/database/restore.ts")).defineRestore,
  },
  {
    name: "standin",
    summary: "Runs the embedded stand-in of the storage host",
    load: async () => (await import("./commands/standin.ts")).defineStandin,
  },
  {
    name: "diagram",
    summary: "Draws the state machines as diagrams",
    load: async () => (await import("./commands/diagram.ts")).defineDiagram,
  },
  {
    name: "inspect",
    summary: "Shows the tasks and machines of a database, or of a running service, on the page",
    load: async () => (await import("./commands/inspect.ts")).defineInspect,
  },
  {
    name: "replay",
    summary: "Replays a task's events through the current machines and shows the first step that differs",
    load: async () => (await import("./commands/replay.ts")).defineReplay,
  },
];
