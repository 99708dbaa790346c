import { hook, hook5, lifecycle } from "../../support/scripts/rule-rows.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";
import type { FieldRow, FieldTable } from "./field-table.ts";

const LINK = { url: "https://example.com/terms", label: "Terms" };
const BAD_LINKS = [{ link: "https://example.com" }, { link: { url: LINK.url } }, { link: { ...LINK, url: "/terms" } }];

/** Fields of both dialects. */
const SHARED: Readonly<Record<"id" | "entrypoint" | "timeout" | "retries" | "inputs", FieldRow>> = {
  id: ["id", "A hook has an id.", "required", ["other"], [1, ""]],
  entrypoint: ["entrypoint", "A hook names the function it exports.", "required", ["main"], [1, ""]],
  timeout: ["timeout", "A hook may say how many seconds it runs at most.", "optional", [1, 600], ["60", 0, -1]],
  retries: ["retries", "A hook may say how often it is retried by itself.", "optional", [0, 3], ["3", -1, 1.5]],
  inputs: ["inputs", "The inputs of a hook are a list.", "optional", [[]], [{}, [{ type: "file", id: "f" }]]],
};

export const HOOK_5: FieldTable = {
  name: "a version 5 hook",
  sound: { id: "h", event: "onAfterUpgrade", scriptContent: "", entrypoint: "run" },
  place: hook5,
  rows: [
    SHARED.id,
    [
      "event",
      "A hook fires at one of the four lifecycle events.",
      "required",
      ["onBeforeInstall", "onAfterInstall", "onBeforeUpgrade", "onAfterUpgrade"],
      ["userAction", "onStart", ["onAfterInstall"]],
    ],
    ["scriptContent", "A hook without a script file holds its TypeScript inline.", "required", ["export {}"], [1]],
    SHARED.entrypoint,
    SHARED.timeout,
    ["description", "A hook may have a label for the activity center.", "optional", ["Migrating"], [1]],
    ["optional", "A hook may be optional.", "optional", [true, false], ["yes"]],
    SHARED.retries,
    [
      "condition",
      "A condition binds a hook to semver ranges of the version departed and the version installed.",
      "optional",
      [{ fromVersionRange: "<2.0.0", toVersionRange: ">=2.0.0" }, { fromVersionRange: "^1.0.0" }],
      ["<2.0.0", { fromVersionRange: "soon" }, { toVersionRange: 2 }],
    ],
    SHARED.inputs,
  ],
};

export const HOOK_5_FILE: FieldTable = {
  name: "a version 5 hook of a file",
  sound: { id: "h", event: "onAfterUpgrade", script: "hooks/h.ts", entrypoint: "run" },
  place: (changes) => hook5({ scriptContent: undefined, ...changes }),
  rows: [["script", "A hook without inline code names a .ts file of the catalog.", "required", ["h.ts"], [1, "h.js"]]],
};

export const HOOK_5_CONSENT: FieldTable = {
  name: "the consent of a version 5 hook",
  sound: { label: "Set up" },
  place: (userOptional) => hook5({ userOptional }),
  rows: [["label", "In version 5 a consent has a label.", "required", ["Set it up"], [1, ""]]],
};

export const HOOK_6: FieldTable = {
  name: "a version 6 hook",
  sound: { id: "h", title: "Connect", rerun: "converge", scriptContent: "", entrypoint: "run" },
  place: (changes) => ({ hooks: [rawHook(changes), rawHook({ id: "first" })] }),
  rows: [
    SHARED.id,
    ["title", "A hook has a title.", "required", ["Connect it"], [1, ""]],
    ["description", "A hook may have a description.", "optional", ["Links both"], [1]],
    [
      "kind",
      "A hook may be of kind connect, maintain or custom.",
      "optional",
      ["connect", "maintain", "custom"],
      ["repair", 1],
    ],
    [
      "events",
      "The events of a hook are a list of names and objects.",
      "optional",
      [["userAction"], ["userAction", { event: "onAfterInstall" }]],
      ["userAction", [1]],
    ],
    ["conditions", "The conditions of a hook are a list.", "optional", [[], [on("plex")]], [{}, [1]]],
    [
      "surfaces",
      "The surfaces of a hook are a list of installPicker, card, fileBrowser and widget.",
      "optional",
      [["installPicker", "card", "fileBrowser", "widget"]],
      ["card", ["dashboard"]],
    ],
    SHARED.inputs,
    ["requiresHooks", "The hooks a hook requires are a list of ids.", "optional", [["first"]], ["first", [1]]],
    ["target", "A target is an object.", "optional", [{ type: "files", accepts: [".mkv"] }], [".mkv"]],
    [
      "rerun",
      "A hook a person can start says whether it is idempotent, converges or refuses a second run.",
      "required",
      ["idempotent", "converge", "refuse"],
      ["always", true],
    ],
    ["scriptContent", "A hook without a script file holds its TypeScript inline.", "required", ["export {}"], [1]],
    SHARED.entrypoint,
    SHARED.timeout,
    SHARED.retries,
  ],
};

export const HOOK_6_FILE: FieldTable = {
  name: "a version 6 hook of a file",
  sound: { id: "h", title: "Connect", rerun: "converge", script: "hooks/h.ts", entrypoint: "run" },
  place: (changes) => hook({ scriptContent: undefined, ...changes }),
  rows: [["script", "A hook without inline code names a .ts file of the catalog.", "required", ["h.ts"], [1, "h.js"]]],
};

export const HOOK_6_LIFECYCLE: FieldTable = {
  name: "a version 6 lifecycle hook",
  sound: {},
  place: lifecycle,
  rows: [
    ["optional", "A hook with a lifecycle event may be optional.", "optional", [true, false], ["yes"]],
    ["userOptional", "A hook with an install event may ask for consent.", "optional", [{}], [true]],
  ],
};

export const EVENT_ENTRY: FieldTable = {
  name: "an object of events",
  sound: { event: "onAfterUpgrade" },
  place: (entry) => lifecycle({ events: [entry] }),
  rows: [
    [
      "event",
      "An object of events names one of the four lifecycle events.",
      "required",
      ["onBeforeInstall", "onAfterInstall", "onBeforeUpgrade", "onAfterUpgrade"],
      ["userAction"],
    ],
    [
      "from",
      "An object of events may hold a semver range of the version departed.",
      "optional",
      ["<2.0.0"],
      ["soon", 2],
    ],
    [
      "to",
      "An object of events may hold a semver range of the version installed.",
      "optional",
      [">=2.0.0"],
      ["soon", 2],
    ],
  ],
};

export const CONDITION: FieldTable = {
  name: "a condition",
  sound: { role: "visibility", type: "appInstalled", app: "plex" },
  place: (condition) => hook({ conditions: [condition] }),
  rows: [
    [
      "role",
      "A condition is one of visibility or of availability.",
      "required",
      ["visibility", "availability"],
      ["hidden", 1],
    ],
    ["app", "A condition on an app names it.", "required", ["sonarr"], [1, ""]],
  ],
};

const conditionOf = (type: string, changes: Record<string, string>): FieldTable => ({
  name: `a condition of type ${type}`,
  sound: { role: "visibility", type, ...changes },
  place: (condition) => hook({ conditions: [condition] }),
  rows: Object.entries(changes).map(([field, value]) => [field, `${type} has ${field}.`, "required", [value], [1]]),
});

export const APP_INSTALLED = conditionOf("appInstalled", { app: "plex" });
export const APP_RUNNING = conditionOf("appRunning", { app: "plex" });
export const APP_VERSION = conditionOf("appVersion", { app: "plex", range: ">=1.0.0" });
export const CAPABILITY = conditionOf("capabilityPresent", { capability: "gpu" });
export const PREDICATE = conditionOf("script", { script: "check.ts" });
export const PREDICATE_ENTRYPOINT: FieldTable = {
  ...PREDICATE,
  name: "a condition of a script",
  rows: [["entrypoint", "A script predicate may name its function.", "optional", ["run"], [1]]],
};

export const TARGET: FieldTable = {
  name: "a target",
  sound: { type: "files", accepts: [".mkv"] },
  place: (target) => hook({ target }),
  rows: [
    ["type", "A target is of files.", "required", ["files"], ["folders", 1]],
    [
      "accepts",
      "A target accepts extensions in lower case with a leading dot.",
      "required",
      [[".mkv", ".tar.gz"]],
      [".mkv", ["mkv"], [".MKV"]],
    ],
    ["maxFiles", "A target may limit the number of files.", "optional", [1, 20], ["1", 0, 1.5]],
    ["requiresTargetMount", "A target may do without a mount of its files.", "optional", [true, false], ["no"]],
  ],
};

export const CONSENT: FieldTable = {
  name: "a consent",
  sound: {},
  place: (userOptional) => lifecycle({ userOptional }),
  rows: [
    ["description", "A consent may have a description.", "optional", ["Sends a request"], [1]],
    ["default", "A consent may say whether it is on.", "optional", [true, false], ["on"]],
    [
      "link",
      "A link of a consent has a fully qualified address and a text.",
      "optional",
      [LINK],
      BAD_LINKS.map(({ link }) => link),
    ],
  ],
};

export const HOOK_TABLES: readonly FieldTable[] = [
  HOOK_5,
  HOOK_5_FILE,
  HOOK_5_CONSENT,
  HOOK_6,
  HOOK_6_FILE,
  HOOK_6_LIFECYCLE,
  EVENT_ENTRY,
  CONDITION,
  APP_INSTALLED,
  APP_RUNNING,
  APP_VERSION,
  CAPABILITY,
  PREDICATE,
  PREDICATE_ENTRYPOINT,
  TARGET,
  CONSENT,
];
