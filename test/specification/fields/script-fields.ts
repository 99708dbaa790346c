import { question } from "../../support/scripts/rule-rows.ts";
import { rawScript } from "../../support/scripts/scripts.ts";
import type { FieldTable } from "./field-table.ts";

const METADATA = { name: "Demo", description: "A demo", icon: "https://example.com/icon.svg", version: "1.0.0" };

export const SCRIPT: FieldTable = {
  name: "the script",
  sound: { version: 6, script: { version: "1.0.0" }, requirements: {}, app_values: {}, widgetsSchema: 2 },
  place: (script) => rawScript(script),
  rows: [
    ["version", "The format's version is the number 4, 5 or 6.", "required", [4, 5, 6], [1, 2, 3, 7, "6"]],
    ["custom", "A script may say with true or false whether its app is a custom one.", "optional", [false], ["yes", 1]],
    [
      "internal",
      "A script may say with true or false whether its app is internal.",
      "optional",
      [true, false],
      ["yes"],
    ],
    ["metadata", "Metadata is an object.", "optional", [METADATA], ["Demo", []]],
    ["script", "A script says what version it is itself, in an object.", "required", [{ version: "1.0.0" }], ["1.0.0"]],
    ["requirements", "A script states its requirements in an object.", "required", [{}], ["none"]],
    ["installation_questions", "Questions of the install are a list.", "optional", [[]], [{}]],
    ["ensure_directories_exists", "Directories to create are a list.", "optional", [[]], [{}]],
    [
      "app_values",
      "The values for the host are an object of any content.",
      "required",
      [{ a: [{ b: null }] }],
      [[], ""],
    ],
    ["hooks", "Hooks are a list.", "optional", [[]], [{}]],
    ["widgetsSchema", "The schema of widgets is the number 2.", "optional", [2], []],
    ["widgets", "Widgets are a list, beside a schema of widgets.", "optional", [], [{}]],
  ],
};

export const SCRIPT_OBJECT: FieldTable = {
  name: "the script object",
  sound: { version: "1.0.0" },
  place: (script) => ({ script }),
  rows: [
    ["version", "A script has a semantic version of its own.", "required", ["1.2.3", "2.0.0-beta.1"], ["latest", 1]],
    [
      "updateCompatibility",
      "A semver range, simple or compound, names the versions that may update to this one.",
      "optional",
      [">=1.0.0", ">1.0.0", "<2.0.0", "<=2.0.0", "^1.0.0", "~1.2.0", ">=1.0.0 <2.0.0"],
      ["new", 1],
    ],
    ["changeLog", "A text may describe the changes.", "optional", ["Faster"], [1]],
  ],
};

export const CUSTOM_METADATA: FieldTable = {
  name: "the metadata of a custom app",
  sound: METADATA,
  place: (metadata) => ({ custom: true, metadata }),
  rows: [
    ["name", "A custom app has a name to display.", "required", ["Demo"], [1, ""]],
    ["description", "A custom app has a description.", "required", ["A demo"], [1]],
    ["icon", "A custom app has an icon, an address or a path.", "required", [METADATA.icon], [1]],
    ["version", "A custom app has a semantic version.", "required", ["1.0.0"], [1, "latest"]],
  ],
};

export const REQUIREMENTS: FieldTable = {
  name: "requirements",
  sound: {},
  place: (requirements) => ({ requirements }),
  rows: [
    ["locations", "The locations a script needs are a list of ids.", "optional", [["Media"]], ["Media", [1]]],
    ["specifications", "The hardware a script needs is a list.", "optional", [["1GB"]], ["1GB", [1]]],
    [
      "permissions",
      "The permissions a script needs are a list.",
      "optional",
      [["READ_WRITE_LOCATIONS"]],
      [{}, ["ALL"]],
    ],
    ["ports", "The ports an app uses are a list of numbers.", "optional", [[8080]], [8080, ["8080"]]],
  ],
};

/** The closed sets behind requirements. */
export const REQUIREMENT_VALUES: FieldTable = {
  name: "allowed values of requirements",
  sound: {},
  place: (requirements) => ({ requirements }),
  rows: [
    [
      "locations",
      "Eleven locations are known by their ids; another id is an error.",
      "optional",
      [
        ["ApplicationsPerformance", "ApplicationsCapacity", "Media", "Photos", "Music", "Movies"],
        ["Shows", "Videos", "Downloads", "Documents", "Backups"],
      ],
      [["Pictures"]],
    ],
    [
      "specifications",
      "Five sizes of storage, four numbers of cores and GPU are known; another word is an error.",
      "optional",
      [["100MB", "200MB", "500MB", "1GB", "2GB"], ["1CORE", "2CORE", "4CORE", "8CORE"], ["GPU"]],
      [["FAST"]],
    ],
    [
      "permissions",
      "READ_WRITE_LOCATIONS is the one permission there is.",
      "optional",
      [["READ_WRITE_LOCATIONS"]],
      [["READ_LOCATIONS"]],
    ],
  ],
};

export const QUESTION: FieldTable = {
  name: "an installation question",
  sound: { question: "Name?", type: "text", key: "name" },
  place: question,
  rows: [
    ["question", "A question has a text.", "required", ["Your name?"], [1, ""]],
    ["description", "A question may have a help text.", "optional", ["As others see it"], [1]],
    ["placeholder", "A question may have a placeholder.", "optional", ["Ada"], [1]],
    [
      "type",
      "A question asks for text, a number, a choice, yes or no, or a password.",
      "required",
      ["text", "number", "boolean", "password"],
      ["date", 1],
    ],
    ["key", "A question has a key.", "required", ["other"], [1, ""]],
    [
      "options",
      "Choices are a list of texts with values.",
      "optional",
      [[{ text: "A", value: "a" }]],
      ["a", [{ text: "A" }]],
    ],
    ["required", "A question may say with true or false whether it has to be answered.", "optional", [true], ["yes"]],
    ["default", "A question may have a default of any type, or a macro.", "optional", ["Ada", "$RANDOM_STRING(8)"], []],
    ["installonly", "A question may be for the install only.", "optional", [true, false], ["yes"]],
    ["group", "A question may name the group it stands in.", "optional", ["Step", "Step / Section"], [1]],
  ],
};

export const DIRECTORY: FieldTable = {
  name: "a directory entry",
  sound: { path: "$LOCATION(Media)/demo" },
  place: (entry) => ({ requirements: { locations: ["Media"] }, ensure_directories_exists: [entry] }),
  rows: [
    ["path", "An entry has a path, as a rule with $LOCATION().", "required", ["$LOCATION(Media)/other"], [1, ""]],
    ["network_share", "An entry may ask for a network share.", "optional", [true, false], ["yes"]],
    [
      "owner",
      "An owner names a user, and a group where it is another than the user's own.",
      "optional",
      [{ user: "apps" }, { user: "apps", group: "media" }],
      [{ group: "media" }, { user: 568 }, { user: "apps", group: 568 }],
    ],
    ["snapshot", "A snapshot has an id.", "optional", [{ id: "data" }], ["data", {}, { id: 1 }]],
  ],
};

export const SCRIPT_TABLES: readonly FieldTable[] = [
  SCRIPT,
  SCRIPT_OBJECT,
  CUSTOM_METADATA,
  REQUIREMENTS,
  REQUIREMENT_VALUES,
  QUESTION,
  DIRECTORY,
];
