import { describe, expect, it } from "vitest";
import { findingsOf, parseWith } from "../../support/scripts/findings.ts";
import { on, rawHook, rawScript } from "../../support/scripts/scripts.ts";

type Row = readonly [row: string, changes: Record<string, unknown>, findings: readonly string[]];

/** Runs rows: the findings, with the token each points at, in the order of the text. */
function table(rows: readonly Row[]): void {
  for (const [row, changes, findings] of rows) {
    it(row, () => expect(findingsOf(changes)).toEqual(findings));
  }
}

const hook = (changes: Record<string, unknown>) => ({ hooks: [rawHook({ id: "h", ...changes })] });
const lifecycle = (changes: Record<string, unknown>) =>
  hook({ events: ["onAfterInstall"], rerun: undefined, ...changes });
const hook5 = (changes: Record<string, unknown>) => ({
  version: 5,
  hooks: [{ id: "h", event: "onAfterInstall", scriptContent: "", entrypoint: "run", ...changes }],
});
const rawWidget = (changes: Record<string, unknown>) => ({
  id: "tile",
  title: "Tile",
  scriptContent: "",
  entrypoint: "run",
  ...changes,
});
const widget = (changes: Record<string, unknown>) => ({ widgetsSchema: 2, widgets: [rawWidget(changes)] });
const question = (changes: Record<string, unknown>) => ({
  installation_questions: [{ question: "Name?", type: "text", key: "name", ...changes }],
});

describe('specification, "Errors"', () =>
  table([
    ["both script and scriptContent", hook({ script: "h.ts" }), ['error SCRIPT_SOURCE_BOTH "scriptContent"']],
    ["neither script nor scriptContent", hook({ scriptContent: undefined }), ['error SCRIPT_SOURCE_NONE "h"']],
    [
      "rerun on a hook that is not user-triggerable",
      lifecycle({ rerun: "refuse" }),
      ['error HOOK_RERUN_UNUSED "rerun"'],
    ],
    ["rerun missing on one that is", hook({ rerun: undefined }), ['error HOOK_RERUN_MISSING "h"']],
    ["optional without a lifecycle event", hook({ optional: true }), ['error HOOK_OPTIONAL_UNUSED "optional"']],
    ["userOptional without an install event", hook({ userOptional: {} }), ['error HOOK_CONSENT_UNUSED "userOptional"']],
    [
      "target together with a lifecycle event",
      lifecycle({ target: { type: "files", accepts: [".mkv"] } }),
      ['error HOOK_TARGET_WITH_LIFECYCLE "target"'],
    ],
    [
      "from/to on an install event",
      lifecycle({ events: [{ event: "onBeforeInstall", from: "<2.0.0", to: ">=2.0.0" }] }),
      ['error HOOK_RANGE_ON_INSTALL "from"', 'error HOOK_RANGE_ON_INSTALL "to"'],
    ],
    [
      "userAction together with an upgrade event that carries from/to",
      hook({ events: [{ event: "onAfterUpgrade", to: ">=2.0.0" }, "userAction"] }),
      ['error HOOK_RANGE_WITH_USER_ACTION "userAction"'],
    ],
    [
      "onBeforeInstall with onAfterInstall in one declaration",
      lifecycle({ events: ["onBeforeInstall", "onAfterInstall"] }),
      ['error HOOK_EVENTS_CLASH "onAfterInstall"'],
    ],
    [
      "the two upgrade events in one declaration",
      lifecycle({ events: ["onAfterUpgrade", { event: "onBeforeUpgrade" }] }),
      ["error HOOK_EVENTS_CLASH {"],
    ],
    [
      "appVersion condition on the declaring app, on a hook with an upgrade trigger",
      lifecycle({ events: ["onAfterUpgrade"], conditions: [{ ...on("example", "appVersion"), range: "*" }] }),
      ["error HOOK_OWN_VERSION_GATE {", 'info CONDITION_NEVER_PASSES "appVersion"'],
    ],
    [
      "lifecycle trigger together with a cross-app condition",
      lifecycle({ conditions: [on("plex")] }),
      ['error HOOK_CROSS_APP_LIFECYCLE "plex"'],
    ],
    [
      "duplicate hook id in one dictionary",
      { hooks: [rawHook({ id: "h" }), rawHook({ id: "h" })] },
      ['error HOOK_ID_DUPLICATE "h"'],
    ],
    [
      "duplicate widget button ids",
      { hooks: [rawHook({ id: "h" })], ...widget({ buttons: ["h", "h"] }) },
      ['error WIDGET_BUTTONS_DUPLICATE "h"'],
    ],
    [
      "more than 4 buttons",
      {
        hooks: ["a", "b", "c", "d", "e"].map((id) => rawHook({ id })),
        ...widget({ buttons: ["a", "b", "c", "d", "e"] }),
      },
      ["error WIDGET_BUTTONS_TOO_MANY ["],
    ],
  ]));

describe('specification, "Event placement rules"', () =>
  table([
    [
      "4: a version 5 event in a version 6 hook is an error",
      hook({ event: "onAfterInstall" }),
      ['error HOOK_EVENT_V5 "event"'],
    ],
    [
      "5: a condition in a version 6 hook is ignored with a warning",
      lifecycle({ events: ["onAfterUpgrade"], condition: { fromVersionRange: "<2" } }),
      ['warning HOOK_CONDITION_V5 "condition"'],
    ],
    [
      "an upgrade event with from and to is fine",
      lifecycle({ events: [{ event: "onAfterUpgrade", from: "<2", to: ">=2" }] }),
      [],
    ],
    ["userAction beside an unbound lifecycle event is fine", hook({ events: ["onAfterInstall", "userAction"] }), []],
    [
      "from that is no range",
      lifecycle({ events: [{ event: "onAfterUpgrade", from: "soon" }] }),
      ['error SCRIPT_VALUE_FORM "soon"'],
    ],
    [
      "userAction as an object entry",
      hook({ events: [{ event: "userAction" }], rerun: undefined }),
      ["error HOOK_EVENTS_NONE [", 'error SCRIPT_VALUE_UNKNOWN "userAction"'],
    ],
  ]));

describe('a breach of the specification is an error at the offending key or value: "Install script" and its parts', () =>
  table([
    ["a sound script", {}, []],
    ["version 3", { version: 3 }, ["error SCRIPT_VERSION_DEPRECATED 3"]],
    ["version 7", { version: 7 }, ["error SCRIPT_VERSION_UNSUPPORTED 7"]],
    ["no version", { version: undefined }, ["error SCRIPT_VERSION_UNSUPPORTED {"]],
    ["a version as text", { version: "6" }, ['error SCRIPT_VERSION_UNSUPPORTED "6"']],
    ["missing requirements are an error", { requirements: undefined }, ["error SCRIPT_FIELD_MISSING {"]],
    ["missing app_values", { app_values: undefined }, ["error SCRIPT_FIELD_MISSING {"]],
    ["custom without metadata", { custom: true }, ['error SCRIPT_METADATA_MISSING "custom"']],
    [
      "an unknown location, or one in another case, is an error",
      { requirements: { locations: ["media"] } },
      ['error SCRIPT_LOCATION_UNKNOWN "media"'],
    ],
    ["an unknown permission", { requirements: { permissions: ["ROOT"] } }, ['error SCRIPT_VALUE_UNKNOWN "ROOT"']],
    [
      "ports beyond the numbers there are",
      { requirements: { ports: [0, 8080, 65536, 80.5] } },
      [0, 65536, 80.5].map((port) => `error SCRIPT_PORT_INVALID ${port}`),
    ],
    [
      "updateCompatibility that is no range",
      { script: { version: "1.0.0", updateCompatibility: "new" } },
      ['error SCRIPT_VALUE_FORM "new"'],
    ],
    ["a question without a key", question({ key: undefined }), ["error SCRIPT_FIELD_MISSING {"]],
    [
      "two questions with one key",
      { installation_questions: [1, 2].map(() => ({ question: "?", type: "text", key: "k" })) },
      ['error QUESTION_KEY_DUPLICATE "k"'],
    ],
    ["select without options", question({ type: "select", options: [] }), ['error QUESTION_OPTIONS_MISSING "select"']],
    [
      "a select default that is none of the options is an error",
      question({ type: "select", options: [{ text: "A", value: "a" }], default: "b" }),
      ['error QUESTION_DEFAULT_NOT_OPTION "b"'],
    ],
    ["a directory without a path", { ensure_directories_exists: [{}] }, ["error SCRIPT_FIELD_MISSING {"]],
    [
      "owner without user",
      {
        requirements: { locations: ["Media"] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: {} }],
      },
      ["error SCRIPT_FIELD_MISSING {"],
    ],
    ["a hook list that is no array", { hooks: {} }, ["error SCRIPT_FIELD_TYPE {"]],
    ["a hook that is no object", { hooks: ["h"] }, ['error SCRIPT_FIELD_TYPE "h"']],
    ["a hook without an id", hook({ id: undefined }), ["error SCRIPT_FIELD_MISSING {"]],
    ["a hook without an entrypoint", hook({ entrypoint: undefined }), ['error SCRIPT_FIELD_MISSING "h"']],
    [
      "9 required hooks",
      {
        hooks: [
          rawHook({ id: "h", requiresHooks: [..."123456789"] }),
          ...[..."123456789"].map((id) => rawHook({ id })),
        ],
      },
      ["error HOOK_REQUIRES_TOO_MANY ["],
    ],
    [
      "an extension without its dot",
      hook({ target: { type: "files", accepts: ["mkv"] } }),
      ['error SCRIPT_VALUE_FORM "mkv"'],
    ],
    [
      "an extension in upper case",
      hook({ target: { type: "files", accepts: [".MKV"] } }),
      ['error SCRIPT_VALUE_FORM ".MKV"'],
    ],
    [
      "a link that is no address",
      lifecycle({ userOptional: { link: { url: "example.com", label: "Terms" } } }),
      ['error SCRIPT_VALUE_FORM "example.com"'],
    ],
    [
      "an OAuth address without https",
      hook({ inputs: [oauth({ pinUrl: "http://example.com" })] }),
      ['error SCRIPT_VALUE_FORM "http://example.com"'],
    ],
    ["an OAuth address on loopback", hook({ inputs: [oauth({ pinUrl: "http://127.0.0.1:8080/pins" })] }), []],
    [
      "an authUrl without its placeholders",
      hook({ inputs: [oauth({ authUrl: "https://example.com/{code}" })] }),
      ['error SCRIPT_VALUE_FORM "https://example.com/{code}"'],
    ],
    [
      "an OAuth flow other than pin makes the hook invalid",
      hook({ inputs: [oauth({ type: "device" })] }),
      ['error HOOK_FLOW_UNSUPPORTED "device"'],
    ],
    ["another kind of input", hook({ inputs: [{ type: "file", id: "f" }] }), ['error SCRIPT_VALUE_UNKNOWN "file"']],
    ["a version 5 hook without a consent label", hook5({ userOptional: {} }), ["error SCRIPT_FIELD_MISSING {"]],
    ["a version 5 hook with userAction", hook5({ event: "userAction" }), ['error SCRIPT_VALUE_UNKNOWN "userAction"']],
    ["a widget id in upper case", widget({ id: "Tile" }), ['error WIDGET_ID_INVALID "Tile"']],
    [
      "a slot count outside its limits makes the widget invalid",
      widget({ sizes: { small: { slots: [1, 2, 3, 4].map(() => ({ type: "text", field: "f" })) } } }),
      ["error WIDGET_SLOTS_COUNT ["],
    ],
    [
      "the placement of another size",
      widget({ sizes: { small: { slots: [{ type: "text", field: "f" }], media: { placement: "left", field: "f" } } } }),
      ['error SCRIPT_VALUE_UNKNOWN "left"'],
    ],
  ]));

describe("docs/decisions.md, section 1", () =>
  table([
    [
      "a missing key is reported at the id of its object, else at its brace",
      { ...hook({ entrypoint: undefined }), ensure_directories_exists: [{}] },
      ['error SCRIPT_FIELD_MISSING "h"', "error SCRIPT_FIELD_MISSING {"],
    ],
    [
      "a value outside a closed set is an error of its carrier",
      hook({ kind: "conect" }),
      ['error SCRIPT_VALUE_UNKNOWN "conect"'],
    ],
    [
      "an unknown role",
      hook({ conditions: [{ ...on("example"), role: "hidden" }] }),
      ['error SCRIPT_VALUE_UNKNOWN "hidden"'],
    ],
    [
      "a condition without role, or with an unknown one, is an error of its carrier, whatever its type",
      {
        hooks: [
          rawHook({ id: "a", conditions: [{ type: "appRunning", app: "plex" }] }),
          rawHook({ id: "b", conditions: [{ type: "moonPhase" }] }),
          rawHook({ id: "c", conditions: [{ role: "hidden", type: "moonPhase" }] }),
        ],
        ...widget({ conditions: [{ role: 1, type: "moonPhase" }] }),
      },
      [
        "error SCRIPT_FIELD_MISSING {",
        "error SCRIPT_FIELD_MISSING {",
        'warning CONDITION_TYPE_UNKNOWN "moonPhase"',
        'error SCRIPT_VALUE_UNKNOWN "hidden"',
        'warning CONDITION_TYPE_UNKNOWN "moonPhase"',
        "error SCRIPT_VALUE_UNKNOWN 1",
        'warning CONDITION_TYPE_UNKNOWN "moonPhase"',
      ],
    ],
    [
      "a version key of another dialect in an object of events is an error",
      {
        hooks: ["versionRange", "range", "fromVersionRange", "toVersionRange", "form"].map((key) =>
          rawHook({ id: key, events: [{ event: "onAfterUpgrade", [key]: "<2.0.0" }], rerun: undefined }),
        ),
      },
      [
        'error HOOK_RANGE_KEY "versionRange"',
        'error HOOK_RANGE_KEY "range"',
        'error HOOK_RANGE_KEY "fromVersionRange"',
        'error HOOK_RANGE_KEY "toVersionRange"',
        'warning SCRIPT_KEY_UNKNOWN "form"',
      ],
    ],
    [
      "accepts: [] is an error of the hook",
      hook({ target: { type: "files", accepts: [] } }),
      ["error SCRIPT_VALUE_RANGE ["],
    ],
    [
      "a select default of a hook's input that is none of its options is an error of the hook",
      hook({
        inputs: [
          {
            type: "question",
            id: "i",
            question: {
              question: "?",
              type: "select",
              key: "k",
              options: [{ text: "A", value: "a" }],
              default: "b",
            },
          },
        ],
      }),
      ['error INPUT_DEFAULT_NOT_OPTION "b"'],
    ],
    [
      "an unknown entry of events is an info",
      hook({ events: ["userAction", "onMoonrise", { event: "onSunset" }] }),
      ['info HOOK_EVENT_FUTURE "onMoonrise"', 'info HOOK_EVENT_FUTURE "onSunset"'],
    ],
    [
      "an unknown condition type is a warning",
      hook({ conditions: [{ role: "visibility", type: "moonPhase", phase: "full" }] }),
      ['warning CONDITION_TYPE_UNKNOWN "moonPhase"'],
    ],
    [
      "an unlisted specification of a known form is a warning, in any case",
      { requirements: { specifications: ["256MB", "4GB", "2GBRAM", "1gbram", "16CORE", "gpu"] } },
      ["256MB", "4GB", "2GBRAM", "1gbram", "16CORE", "gpu"].map(
        (value) => `warning SCRIPT_SPECIFICATION_UNLISTED "${value}"`,
      ),
    ],
    [
      "any other specification is an error",
      { requirements: { specifications: ["FAST", "1TB", "1.5GB"] } },
      ["FAST", "1TB", "1.5GB"].map((value) => `error SCRIPT_VALUE_UNKNOWN "${value}"`),
    ],
    [
      "a location only some hosts have is a warning",
      {
        requirements: {
          locations: ["VirtualizationPerformance", "VirtualizationCapacity", "InstallMedia", "VirtualDisks"],
        },
      },
      ["VirtualizationPerformance", "VirtualizationCapacity", "InstallMedia", "VirtualDisks"].map(
        (value) => `warning SCRIPT_LOCATION_UNLISTED "${value}"`,
      ),
    ],
    [
      "a bare location root is accepted for its share",
      {
        requirements: { locations: ["Media"] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)", network_share: true }],
      },
      [],
    ],
    [
      "a $LOCATION that is not listed is an error at each use",
      { app_values: { a: "$LOCATION(Media)/a", b: ["$LOCATION(Media)/b"] } },
      ["error MACRO_LOCATION_UNDECLARED $LOCATION(Media)", "error MACRO_LOCATION_UNDECLARED $LOCATION(Media)"],
    ],
    [
      "an unknown key is a warning",
      { hoks: [], ...hook({ optionl: 1, conditions: [{ ...on("example"), aps: 1 }] }) },
      ['warning SCRIPT_KEY_UNKNOWN "hoks"', 'warning SCRIPT_KEY_UNKNOWN "optionl"', 'warning SCRIPT_KEY_UNKNOWN "aps"'],
    ],
    ["$schema at top level is a known key", { $schema: "./script.schema.json" }, []],
    [
      "triggers in a version 6 hook is an error",
      hook({ triggers: ["onAfterInstall"] }),
      ['error HOOK_TRIGGERS_KEY "triggers"'],
    ],
    [
      "top-level network and resources are ignored with a warning",
      { network: {}, resources: {} },
      ['warning SCRIPT_KEY_MISPLACED "network"', 'warning SCRIPT_KEY_MISPLACED "resources"'],
    ],
    [
      "an owner that is plain text is a warning",
      {
        requirements: { locations: ["Media"] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: "apps" }],
        app_values: { media: "$HOST_PATH($LOCATION(Media)/x)" },
      },
      ['warning DIRECTORY_OWNER_TEXT "apps"'],
    ],
    ["requirements without its lists are empty", { requirements: {} }, []],
    [
      "a script.version that is no semver is coerced with a warning",
      { script: { version: "1.1" } },
      ['warning SCRIPT_VERSION_COERCED "1.1"'],
    ],
    ["script.version latest", { script: { version: "latest" } }, ['error SCRIPT_VALUE_FORM "latest"']],
    [
      "hooks and widgets of a version that has none are not read",
      { version: 4, hooks: [1], widgetsSchema: 2, widgets: [1] },
      [
        'warning SCRIPT_SECTION_UNREAD "hooks"',
        'warning SCRIPT_SECTION_UNREAD "widgetsSchema"',
        'warning SCRIPT_SECTION_UNREAD "widgets"',
      ],
    ],
    [
      "a widgetsSchema other than 2 leaves the widgets unread",
      { widgetsSchema: 1, widgets: [1] },
      ["warning SCRIPT_WIDGETS_SCHEMA 1"],
    ],
    ["widgets without widgetsSchema", { widgets: [1] }, ['warning SCRIPT_WIDGETS_SCHEMA_MISSING "widgets"']],
    ["a version 5 script without hooks is normal", { version: 5 }, []],
    [
      "metadata may have categories, keywords, screenshots and a relative icon",
      {
        custom: true,
        metadata: {
          name: "n",
          description: "d",
          icon: "a/icon.svg",
          version: "1.0.0",
          categories: ["a"],
          keywords: [],
          screenshots: ["s.png"],
        },
      },
      [],
    ],
    [
      "an icon outside the catalog",
      { metadata: { name: "n", description: "d", icon: "/etc/icon.svg", version: "1.0.0" } },
      ['error SCRIPT_ICON_INVALID "/etc/icon.svg"'],
    ],
    [
      "the second of two widgets with one id is an error",
      { widgetsSchema: 2, widgets: [rawWidget({}), rawWidget({})] },
      ['error WIDGET_ID_DUPLICATE "tile"'],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: an unknown id",
      hook({ requiresHooks: ["x"] }),
      ['error HOOK_REQUIRES_UNKNOWN "x"'],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: its own id",
      hook({ requiresHooks: ["h"] }),
      ['error HOOK_REQUIRES_UNKNOWN "h"'],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: a dropped id",
      { hooks: [rawHook({ id: "a", requiresHooks: ["b"] }), rawHook({ id: "b", rerun: "never" })] },
      ['error HOOK_REQUIRES_UNKNOWN "b"', 'error SCRIPT_VALUE_UNKNOWN "never"'],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: a cycle",
      {
        hooks: [
          rawHook({ id: "a", requiresHooks: ["b"] }),
          rawHook({ id: "b", requiresHooks: ["a"] }),
          rawHook({ id: "c" }),
        ],
      },
      ['error HOOK_REQUIRES_CYCLE "b"', 'error HOOK_REQUIRES_CYCLE "a"'],
    ],
    ["a button whose hook is unknown", widget({ buttons: ["x"] }), ['warning WIDGET_BUTTON_UNUSABLE "x"']],
    [
      "a button whose hook is dropped",
      { ...hook({ rerun: undefined }), ...widget({ buttons: ["h"] }) },
      ['error HOOK_RERUN_MISSING "h"', 'warning WIDGET_BUTTON_UNUSABLE "h"'],
    ],
    [
      "a button whose hook no user can start",
      { ...lifecycle({}), ...widget({ buttons: ["h"] }) },
      ['warning WIDGET_BUTTON_UNUSABLE "h"'],
    ],
    [
      "a button whose hook lacks the surface widget",
      { ...hook({ surfaces: ["card"] }), ...widget({ buttons: ["h"] }) },
      ['warning WIDGET_BUTTON_UNUSABLE "h"'],
    ],
    ["events: [] drops the hook", hook({ events: [], rerun: undefined }), ["error HOOK_EVENTS_NONE ["]],
    [
      "events of which none is recognised drop the hook",
      hook({ events: ["onMoonrise"] }),
      ["error HOOK_EVENTS_NONE [", 'info HOOK_EVENT_FUTURE "onMoonrise"'],
    ],
    ["surfaces: []", hook({ surfaces: [] }), []],
    [
      "duplicate events and surfaces are warnings",
      hook({ events: ["userAction", "userAction"], surfaces: ["card", "card"] }),
      ['warning HOOK_EVENTS_DUPLICATE "userAction"', 'warning HOOK_SURFACES_DUPLICATE "card"'],
    ],
    ["a hook timeout above 6 h is clamped", hook({ timeout: 21601 }), ["warning HOOK_TIMEOUT_CLAMPED 21601"]],
    [
      "a widget timeout above 60 s and a refresh below 10 s are clamped",
      widget({ refresh: 9, timeout: 61 }),
      ["warning WIDGET_REFRESH_CLAMPED 9", "warning WIDGET_TIMEOUT_CLAMPED 61"],
    ],
    [
      "a required question may have an empty default, a select none",
      {
        installation_questions: [
          { question: "?", type: "text", key: "a", required: true, default: "" },
          { question: "?", type: "select", key: "b", options: [{ text: "A", value: "a" }] },
        ],
        app_values: { both: "$QUESTION(a)$QUESTION(b)" },
      },
      [],
    ],
    [
      "an installonly question that can't be recovered",
      question({ installonly: true }),
      ['warning MACRO_INSTALLONLY_LOST "name"'],
    ],
    [
      "a hook input's question takes required, placeholder and options",
      hook({
        inputs: [
          {
            type: "question",
            id: "q",
            question: {
              question: "?",
              type: "select",
              key: "k",
              required: true,
              placeholder: "p",
              options: [{ text: "A", value: "a" }],
            },
          },
        ],
      }),
      [],
    ],
    [
      "a hook input's question takes no group",
      hook({
        inputs: [{ type: "question", id: "q", question: { question: "?", type: "text", key: "k", group: "g" } }],
      }),
      ['warning SCRIPT_KEY_UNKNOWN "group"'],
    ],
    [
      "two inputs of a hook with one id are an error",
      hook({
        inputs: ["a", "b"].map((key) => ({
          type: "question",
          id: "q",
          question: { question: "?", type: "text", key },
        })),
      }),
      ['error INPUT_ID_DUPLICATE "q"'],
    ],
    ["empty sizes make the widget invalid", widget({ sizes: {} }), ["error WIDGET_SIZES_EMPTY {"]],
  ]));

describe("an error drops its carrier and nothing else", () => {
  it("the first of two hooks with one id is kept", () => {
    const { dictionary } = parseWith({
      hooks: [rawHook({ id: "h", title: "First" }), rawHook({ id: "h", title: "Second" })],
    });
    expect(dictionary?.hooks.map(({ title }) => title)).toEqual(["First"]);
  });

  it("drops a chain of hooks that require a dropped one, and nothing else", () => {
    const { dictionary } = parseWith({
      hooks: [
        rawHook({ id: "a", requiresHooks: ["b"] }),
        rawHook({ id: "b", requiresHooks: ["c"] }),
        rawHook({ id: "c", events: [] }),
        rawHook({ id: "d" }),
      ],
    });
    expect(dictionary?.hooks.map(({ id }) => id)).toEqual(["d"]);
  });

  it("a button without a usable hook is not rendered, its widget stays", () => {
    const { dictionary } = parseWith({ hooks: [rawHook({ id: "h" })], ...widget({ buttons: ["x", "h"] }) });
    expect(dictionary?.widgets.map(({ buttons }) => buttons)).toEqual([["h"]]);
  });

  it("refuses the whole script on an error of its own", () => {
    expect(parseWith({ requirements: undefined }).dictionary).toBeNull();
  });

  it("a script whose file name is no app id is refused", () => {
    expect(findingsOf({}, "My App")).toEqual(["error SCRIPT_APP_ID_INVALID {"]);
  });

  it("clamps times, coerces the version and reads a plain owner", () => {
    const { dictionary } = parseWith({
      script: { version: "1.1" },
      requirements: { locations: ["Media"] },
      ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: "apps" }],
      hooks: [rawHook({ timeout: 100_000 })],
      ...widget({ refresh: 1, timeout: 100 }),
    });
    expect(dictionary).toMatchObject({
      script: { version: "1.1.0" },
      directories: [{ owner: { user: "apps" } }],
      hooks: [{ timeout: 21_600 }],
      widgets: [{ refresh: 10, timeout: 60 }],
    });
  });
});

it("a problem suggests the nearest known key and value", () => {
  const { problems } = parseWith({ hooks: [rawHook({ kind: "conect", retires: 1 })] });
  expect(problems.map(({ hint }) => hint)).toEqual(['write "connect"', 'write "retries", or remove the key']);
});

it("reads a script of every version into one normal form", () => {
  const shared = { optional: true, timeout: 60, retries: 2, inputs: [] };
  const five = parseWith({
    version: 5,
    hooks: [
      {
        id: "migrate",
        event: "onAfterUpgrade",
        condition: { fromVersionRange: "<2.0.0" },
        description: "Migrating",
        scriptContent: "",
        entrypoint: "run",
        ...shared,
      },
    ],
  });
  const six = parseWith({
    hooks: [
      {
        id: "migrate",
        title: "Migrating",
        description: "Migrating",
        events: [{ event: "onAfterUpgrade", from: "<2.0.0" }],
        scriptContent: "",
        entrypoint: "run",
        ...shared,
      },
    ],
  });
  expect(five.problems).toEqual([]);
  expect(six.problems).toEqual([]);
  expect({ ...five.dictionary?.hooks[0], dialect: 6 }).toEqual(six.dictionary?.hooks[0]);
  expect(parseWith({ version: 4 }).dictionary).toMatchObject({ version: 4, hooks: [], widgets: [] });
});

function oauth(flow: Record<string, unknown>): Record<string, unknown> {
  const rest = {
    type: "pin",
    pinUrl: "https://example.com/pins",
    authUrl: "https://example.com/auth?id={clientId}&code={code}",
    pollUrl: "https://example.com/pins/{pinId}",
    clientId: "slipway",
    tokenField: "token",
  };
  return { type: "oauth", id: "login", name: "Sign in", provider: "example", flow: { ...rest, ...flow } };
}

it("judges a script alike whatever the order of its keys", () => {
  const script = rawScript({ ...hook({ rerun: undefined }), hoks: 1, network: {} });
  const turned = Object.fromEntries(Object.entries(script).reverse());
  const codes = (changes: Record<string, unknown>) =>
    parseWith(changes)
      .problems.map(({ code }) => code)
      .sort();
  expect(codes(turned)).toEqual(codes(script));
});

describe("requiresHooks at any size", () => {
  const chain = (length: number, last: Record<string, unknown>) =>
    Array.from({ length }, (_, index) => {
      const next = index + 1 < length ? { requiresHooks: [`h${index + 1}`] } : last;
      return rawHook({ id: `h${index}`, ...next });
    });

  it("drops a chain of 150 hooks whose last one is dropped, each with its own error", () => {
    const { dictionary, problems } = parseWith({ hooks: chain(150, { events: [] }) });
    expect(dictionary?.hooks).toEqual([]);
    expect(problems.filter(({ code }) => code === "HOOK_REQUIRES_UNKNOWN")).toHaveLength(149);
  });

  it("finds a circle of 3,000 hooks at each of them", () => {
    const { problems } = parseWith({ hooks: chain(3_000, { requiresHooks: ["h0"] }) });
    expect(problems.filter(({ code }) => code === "HOOK_REQUIRES_CYCLE")).toHaveLength(200);
    expect(problems[0]).toMatchObject({ code: "SCRIPT_PROBLEMS_TOO_MANY", severity: "error" });
    expect(problems[0]?.message).toContain("has 3000 problems; the first 200 are shown, 2800 more are not");
  });

  it("calls a hook that leads into a circle, or from one to another, no part of it", () => {
    const pair = (a: string, b: string, more: string[] = []) => [
      rawHook({ id: a, requiresHooks: [b] }),
      rawHook({ id: b, requiresHooks: [a, ...more] }),
    ];
    const hooks = [...pair("a", "b", ["between"]), rawHook({ id: "between", requiresHooks: ["c"] }), ...pair("c", "d")];
    const { problems } = parseWith({ hooks });
    const found = problems.map(({ code, path }) => `${code} ${hooks[Number(path[1])]?.["id"]}`);
    expect(found).toEqual([
      "HOOK_REQUIRES_CYCLE a",
      "HOOK_REQUIRES_CYCLE b",
      "HOOK_REQUIRES_UNKNOWN b",
      "HOOK_REQUIRES_UNKNOWN between",
      "HOOK_REQUIRES_CYCLE c",
      "HOOK_REQUIRES_CYCLE d",
    ]);
  });
});

it("counts every fault of lists of 3,000 entries and shows the first 200", () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `e${index}`);
  const { problems } = parseWith({
    installation_questions: many.map((key) => ({ question: "?", type: "text", key })),
    hooks: [rawHook({ id: "h", events: many, surfaces: [], requiresHooks: many })],
    ...widget({ buttons: many }),
  });
  expect(problems.filter(({ code }) => code === "HOOK_EVENT_FUTURE")).toHaveLength(200);
  expect(problems).toHaveLength(201);
});
