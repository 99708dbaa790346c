/** The elements of `slipway/elements`, each as a page of others has it; the page of examples shows and runs these texts. */

export interface Example {
  readonly tag: `slip-${string}`;
  readonly what: string;
  /** Attributes; those with a dot are properties alone. */
  readonly takes: Readonly<Record<string, string>>;
  /** Events by name, with what their detail holds. */
  readonly tells: Readonly<Record<string, string>>;
  readonly html: string;
  /** What stands in its place where it fills a window or holds others of the page. */
  readonly elsewhere?: string;
  /** A module beside it. */
  readonly script?: string;
}

/** Tasks the examples are about. */
export interface ExampleTasks {
  /** An install that ended. */
  readonly ended: string;
  /** A hook of it. */
  readonly hook: string;
  /** A hook that asks. */
  readonly asking: string;
}

const APP = { app: "id of the app" };
const TASK = { task: "id of the task" };
const OPEN_TASK = { "slip-open-task": "taskId" };
const DECIDE = { "slip-answer-task": "taskId", "slip-decided": "taskId, command", "slip-started": "taskId, task" };
const DIALOG = { "slip-started": "taskId, task", ...OPEN_TASK, "slip-closed": "" };

/** Every element there is. */
export function listExamples({ ended, hook, asking }: ExampleTasks): readonly Example[] {
  return [
    {
      tag: "slip-activity",
      what: "All tasks: what asks, what runs, what is finished",
      takes: { app: "of this app alone", selected: "id of the task that is marked" },
      tells: OPEN_TASK,
      html: '<slip-activity app="demo-media"></slip-activity>',
    },
    {
      tag: "slip-activity-row",
      what: "One task as a row",
      takes: { ".task": "a root task", selected: "marks it" },
      tells: OPEN_TASK,
      html: '<slip-activity-row id="row"></slip-activity-row>',
      script: takeTask("row", ended),
    },
    {
      tag: "slip-task",
      what: "A task: its way, what it asks, its steps, machine and log",
      takes: { task: "id of a task, or of one under it" },
      tells: { ...DECIDE, "slip-open-app": "appId" },
      html: `<slip-task task="${ended}"></slip-task>`,
    },
    {
      tag: "slip-decisions",
      what: "What a task takes from a person now",
      takes: { ".task": "a task", ".only": "commands that are offered" },
      tells: DECIDE,
      html: '<slip-decisions id="decisions"></slip-decisions>',
      script: takeTask("decisions", asking),
    },
    {
      tag: "slip-machine",
      what: "The machine of a task, with the way it took",
      takes: { ...TASK, reveal: "comes into the window once it shows something" },
      tells: {},
      html: `<slip-machine task="${ended}"></slip-machine>`,
    },
    {
      tag: "slip-log",
      what: "The lines a hook's script wrote",
      takes: { task: "id of a hook's task", live: "looks for more again and again" },
      tells: {},
      html: `<slip-log task="${hook}"></slip-log>`,
    },
    {
      tag: "slip-home",
      what: "What asks first, then what runs, then the widgets",
      takes: {},
      tells: OPEN_TASK,
      html: "<slip-home></slip-home>",
      elsewhere: '<a href="/">Home, as the page begins</a>',
    },
    {
      tag: "slip-dashboard",
      what: "The widgets people look at first",
      takes: {},
      tells: { "slip-started": "taskId, task", ...OPEN_TASK, "slip-open-app": "appId" },
      html: "<slip-dashboard></slip-dashboard>",
    },
    {
      tag: "slip-widget",
      what: "One widget of an app",
      takes: {
        ...APP,
        widget: "id of the widget",
        size: "small or large",
        name: "of the app, to be shown",
        label: "title until it is known",
        gone: "why it is there no more",
      },
      tells: { "slip-started": "taskId, task", ...OPEN_TASK, "slip-open-app": "appId" },
      html: '<slip-widget app="demo-media" widget="library" size="large"></slip-widget>',
    },
    {
      tag: "slip-catalog",
      what: "The apps there are, searched and in pages",
      takes: {},
      tells: {
        "slip-open-app": "appId, dialog",
        "slip-open-upgrades": "",
        "slip-started": "taskId, task",
        ...OPEN_TASK,
      },
      html: "<slip-catalog></slip-catalog>",
    },
    {
      tag: "slip-app-page",
      what: "An app with its actions, pairings, requirements and problems",
      takes: APP,
      tells: { "slip-open-app": "appId, dialog", "slip-started": "taskId, task", ...OPEN_TASK },
      html: '<slip-app-page app="demo-notes"></slip-app-page>',
    },
    {
      tag: "slip-app-icon",
      what: "The picture of an app, or the letters of its name",
      takes: { ...APP, name: "of which its letters are" },
      tells: {},
      html: '<slip-app-icon app="demo-media" name="Demo Media"></slip-app-icon>',
    },
    {
      tag: "slip-files",
      what: "Folders of the host, and what apps do with files",
      takes: { path: "host path of a folder; empty: the locations" },
      tells: { "slip-open-folder": "path", "slip-started": "taskId, task", ...OPEN_TASK },
      html: "<slip-files></slip-files>",
    },
    {
      tag: "slip-notifications",
      what: "What people were told",
      takes: {},
      tells: OPEN_TASK,
      html: "<slip-notifications></slip-notifications>",
    },
    {
      tag: "slip-health",
      what: "What works and what does not",
      takes: {},
      tells: OPEN_TASK,
      html: "<slip-health></slip-health>",
    },
    {
      tag: "slip-upgrades",
      what: "The upgrades of all apps, and when they begin by themselves",
      takes: {},
      tells: { "slip-started": "taskId, task", ...OPEN_TASK, "slip-open-app": "appId" },
      html: "<slip-upgrades></slip-upgrades>",
    },
    {
      tag: "slip-upgrade-policy",
      what: "When upgrades of an app begin by themselves; without an app, those of all",
      takes: APP,
      tells: { "slip-open-app": "appId" },
      html: '<slip-upgrade-policy app="demo-media"></slip-upgrade-policy>',
    },
    {
      tag: "slip-audit",
      what: "Who changed what, or was refused it, of an app or of all",
      takes: { app: "id of the app; of all where it names none" },
      tells: { ...OPEN_TASK, "slip-open-app": "appId" },
      html: "<slip-audit></slip-audit>",
    },
    {
      tag: "slip-drift",
      what: "What others changed on the host, of an app or of all, and what helps",
      takes: { app: "id of the app; of all where it names none" },
      tells: { "slip-started": "taskId, task", ...OPEN_TASK, "slip-open-app": "appId, dialog" },
      html: "<slip-drift></slip-drift>",
    },
    {
      tag: "slip-login",
      what: "Asks for the token of a server that has one; this one has none",
      takes: {},
      tells: { "slip-logged-in": "" },
      html: "<slip-login></slip-login>",
    },
    {
      tag: "slip-install",
      what: "The dialog that installs an app",
      takes: { ...APP, mode: "custom asks everything on one screen" },
      tells: DIALOG,
      ...openDialog("slip-install", "Install Demo Media", { app: "demo-media" }),
    },
    {
      tag: "slip-options",
      what: "The dialog of an app's options",
      takes: APP,
      tells: DIALOG,
      ...openDialog("slip-options", "Options of Demo Media", { app: "demo-media" }),
    },
    {
      tag: "slip-upgrade",
      what: "The dialog that upgrades an app",
      takes: APP,
      tells: DIALOG,
      ...openDialog("slip-upgrade", "Upgrade Demo Media", { app: "demo-media" }),
    },
    {
      tag: "slip-rollback",
      what: "The dialog that takes an app back to what it was before an upgrade or update",
      takes: APP,
      tells: DIALOG,
      ...openDialog("slip-rollback", "Roll back Demo Media", { app: "demo-media" }),
    },
    {
      tag: "slip-uninstall",
      what: "The dialog that uninstalls an app, with its data or without",
      takes: APP,
      tells: DIALOG,
      ...openDialog("slip-uninstall", "Uninstall Demo Media", { app: "demo-media" }),
    },
    {
      tag: "slip-adopt",
      what: "The dialog that takes over an app which was installed by other means; this one was not",
      takes: APP,
      tells: DIALOG,
      ...openDialog("slip-adopt", "Take over Demo Media", { app: "demo-media" }),
    },
    {
      tag: "slip-inputs",
      what: "What a hook asks, as a dialog",
      takes: { task: "id of the hook's task" },
      tells: { "slip-answered": "taskId", "slip-closed": "" },
      ...openDialog("slip-inputs", "Answer Demo Notes", { task: asking }),
    },
    {
      tag: "slip-app",
      what: "The whole page, which fills a window",
      takes: { base: "path it stands at" },
      tells: {},
      html: '<slip-app base="/"></slip-app>',
      elsewhere: '<a href="/">The whole page</a>',
    },
  ];
}

/** The module that gives an element its task. */
function takeTask(id: string, task: string): string {
  return `const answer = await fetch("/api/tasks/${encodeURIComponent(task)}");
document.querySelector("#${id}").task = await answer.json();`;
}

/** A button that opens a dialog, which goes when it is closed. */
function openDialog(
  tag: Example["tag"],
  label: string,
  properties: Readonly<Record<string, string>>,
): Pick<Example, "html" | "script"> {
  return {
    html: `<button type="button" id="${tag}">${label}</button>`,
    script: `const button = document.querySelector("#${tag}");
button.addEventListener("click", () => {
  const dialog = Object.assign(document.createElement("${tag}"), ${JSON.stringify(properties)});
  dialog.addEventListener("slip-closed", () => dialog.remove());
  button.after(dialog);
});`,
  };
}
