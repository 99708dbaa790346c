/**
 * Rows that judge issues of the schema that the decisions tolerate, refuse or name in particular; `general-field-rules.ts`
 * takes what is left. Of all rows the first that takes an issue counts.
 */
import coerce from "semver/functions/coerce.js";
import { PROVIDER_HEADERS } from "../../hooks/oauth-headers.ts";
import { SPECIFICATIONS, UNLISTED_LOCATIONS } from "../../script/script-words.ts";
import { LIFECYCLE_ONLY, makeDirectory, makeHook, makeScript, makeWidget } from "../example.ts";
import type { FieldIssue } from "../field-issue.ts";
import { nameEntry, suggestWord } from "../field-words.ts";
import { type FieldRule, quote } from "../row.ts";

/** Keys of other dialects for the versions an event is bound to, and what to write instead. */
const RANGE_KEYS: ReadonlyMap<string, string | undefined> = new Map([
  ["fromVersionRange", 'write "from"'],
  ["toVersionRange", 'write "to"'],
  ["versionRange", undefined],
  ["range", undefined],
]);

const DECISIONS = "docs/decisions.md, section 1";

export const FIELD_RULES = {
  SCRIPT_SPECIFICATION_UNLISTED: {
    title: "A specification is not in the specification's list, but its meaning is clear",
    hint: `use one of ${SPECIFICATIONS.join(", ")} where it is enough`,
    see: 'docs/install-scripts.md, "Requirements"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) =>
      kind === "word" &&
      field === "requirements.specifications.*" &&
      /^(\d+(MB|GB|MBRAM|GBRAM|CORE)|GPU)$/i.test(String(value)),
    message: ({ value }) => `specification ${quote(value)} is not in the list of the specification`,
    bad: makeScript({ requirements: { specifications: ["256MB"] } }),
    good: makeScript({ requirements: { specifications: ["200MB"] } }),
  },
  SCRIPT_LOCATION_UNLISTED: {
    title: "A location is not in the specification's list, but some hosts have it",
    hint: "name a location of the list, so that every host can have it",
    see: 'docs/install-scripts.md, "Requirements"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) =>
      kind === "word" &&
      field === "requirements.locations.*" &&
      UNLISTED_LOCATIONS.some((location) => location === value),
    message: ({ value }) => `location ${quote(value)} is not in the list of the specification`,
    bad: makeScript({ requirements: { locations: ["InstallMedia"] } }),
    good: makeScript({ requirements: { locations: ["Media"] } }),
  },
  SCRIPT_LOCATION_UNKNOWN: {
    title: "A location does not exist",
    hint: "name a location of the list, letter case counts",
    see: 'docs/install-scripts.md, "Requirements"',
    severity: "error",
    takes: ({ kind, field }) => kind === "word" && field === "requirements.locations.*",
    message: ({ value, allowed }) => `location ${quote(value)} does not exist; allowed are ${allowed}`,
    hintFor: suggestWord,
    bad: makeScript({ requirements: { locations: ["media"] } }),
    good: makeScript({ requirements: { locations: ["Media"] } }),
  },
  SCRIPT_PORT_INVALID: {
    title: "A port is not a port number",
    hint: "write a whole number from 1 to 65535",
    see: 'docs/install-scripts.md, "Requirements"',
    severity: "error",
    takes: ({ field }) => field === "requirements.ports.*",
    message: ({ value }) => `port ${quote(value)} is not a whole number from 1 to 65535`,
    bad: makeScript({ requirements: { ports: [99999] } }),
    good: makeScript({ requirements: { ports: [8080] } }),
  },
  SCRIPT_VERSION_COERCED: {
    title: "The script's version is not a complete semantic version",
    hint: "write three numbers",
    see: 'docs/install-scripts.md, "ScriptVersion"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) => kind === "form" && field === "script.version" && coerceText(value) !== null,
    message: ({ value }) => `version ${quote(value)} is not a semantic version, it is read as "${coerceText(value)}"`,
    hintFor: ({ value }) => `write "${coerceText(value)}"`,
    bad: makeScript({ script: { version: "1.1" } }),
    good: makeScript({ script: { version: "1.1.0" } }),
  },
  SCRIPT_WIDGETS_SCHEMA: {
    title: '"widgetsSchema" is not 2, so no widget is read',
    hint: 'write "widgetsSchema": 2',
    see: 'docs/install-scripts.md, "Script6"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ field, kind }) => field === "widgetsSchema" && kind !== "key",
    message: ({ value }) => `"widgetsSchema" is ${quote(value)}, so none of the app's widgets are read; allowed is 2`,
    bad: makeScript({ widgetsSchema: 3 }),
    good: makeScript({ widgetsSchema: 2 }),
  },
  SCRIPT_SECTION_UNREAD: {
    title: "The script's version has no such section, so it is not read",
    hint: 'raise "version", or remove the section',
    see: 'docs/install-scripts.md, "Versions"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field }) => kind === "key" && ["hooks", "widgets", "widgetsSchema"].includes(field),
    message: ({ field, dialect }) => `"${field}" is not read in a version ${dialect} script`,
    hintFor: ({ field }) => (field === "hooks" ? 'write "version": 6 or 5' : 'write "version": 6'),
    bad: makeScript({ version: 4, widgetsSchema: 2 }),
    good: makeScript({ version: 6, widgetsSchema: 2 }),
  },
  SCRIPT_KEY_MISPLACED: {
    title: 'The key belongs in "app_values" and is ignored where it stands',
    hint: 'move it into "app_values"',
    see: DECISIONS,
    severity: "warning",
    takes: ({ kind, field }) => kind === "key" && ["network", "resources"].includes(field),
    message: ({ field }) => `"${field}" belongs in "app_values" and is ignored at the top level`,
    bad: makeScript({ network: { port: 80 } }),
    good: makeScript({ app_values: { network: { port: 80 } } }),
  },
  DIRECTORY_OWNER_TEXT: {
    title: "The owner of a directory is a plain text, read as the user",
    hint: 'write {"user": NAME}',
    see: 'docs/install-scripts.md, "DirectoryEntry"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) =>
      kind === "type" && field === "ensure_directories_exists.*.owner" && typeof value === "string" && value !== "",
    message: ({ value }) => `"owner" is the text ${quote(value)}, it is read as {"user": ${quote(value)}}`,
    hintFor: ({ value }) => `write "owner": {"user": ${quote(value)}}`,
    bad: makeDirectory({ owner: "apps" }),
    good: makeDirectory({ owner: { user: "apps" } }),
  },
  HOOK_TRIGGERS_KEY: {
    title: 'A version 6 hook says "triggers" where it means "events"',
    hint: 'rename "triggers" to "events"',
    see: 'docs/install-scripts.md, "Hook6"; docs/decisions.md, section 1',
    severity: "error",
    takes: ({ kind, field, dialect }) => kind === "key" && dialect === 6 && field === "hooks.*.triggers",
    message: ({ holder }) => `hook ${nameEntry(holder)} has "triggers", which is not a field; it means "events"`,
    bad: makeHook({ triggers: ["onAfterInstall"] }),
    good: makeHook({ events: ["onAfterInstall"], rerun: undefined }),
  },
  HOOK_EVENT_V5: {
    title: 'A version 6 hook has the version 5 field "event"',
    hint: 'write "events" with the event in an array',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    takes: ({ kind, field, dialect }) => kind === "key" && dialect === 6 && field === "hooks.*.event",
    message: ({ holder }) => `hook ${nameEntry(holder)} has the version 5 field "event"; a version 6 hook has "events"`,
    hintFor: ({ value }) => `write "events": [${quote(value)}]`,
    bad: makeHook({ event: "onAfterInstall" }),
    good: makeHook({ events: ["onAfterInstall"], rerun: undefined }),
  },
  HOOK_CONDITION_V5: {
    title: 'A version 6 hook has the version 5 field "condition", which is ignored',
    hint: 'write "from" and "to" in an object entry of "events"',
    see: 'docs/install-scripts.md, "Fields that go together"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, dialect }) => kind === "key" && dialect === 6 && field === "hooks.*.condition",
    message: ({ holder }) =>
      `hook ${nameEntry(holder)} has the version 5 field "condition", which is ignored: the hook will fire on every upgrade`,
    bad: makeHook({ ...LIFECYCLE_ONLY, events: ["onAfterUpgrade"], condition: { fromVersionRange: "<2.0.0" } }),
    good: makeHook({ ...LIFECYCLE_ONLY, events: [{ event: "onAfterUpgrade", from: "<2.0.0" }] }),
  },
  HOOK_RANGE_KEY: {
    title: 'An object of "events" names its version range by a key that is not read',
    hint: 'write "from" for the version departed and "to" for the version installed',
    see: 'docs/install-scripts.md, "Fields that go together"; docs/decisions.md, section 1',
    severity: "error",
    takes: ({ kind, field, dialect, path }) =>
      kind === "key" && dialect === 6 && field.startsWith("hooks.*.events.*.") && RANGE_KEYS.has(String(path.at(-1))),
    message: ({ path }) =>
      `${quote(path.at(-1))} is not read in an object of "events": the hook would fire on every upgrade`,
    hintFor: ({ path }) => RANGE_KEYS.get(String(path.at(-1))),
    bad: makeHook({ ...LIFECYCLE_ONLY, events: [{ event: "onAfterUpgrade", fromVersionRange: "<2.0.0" }] }),
    good: makeHook({ ...LIFECYCLE_ONLY, events: [{ event: "onAfterUpgrade", from: "<2.0.0" }] }),
  },
  HOOK_CONSENT_LABEL: {
    title: "A version 6 consent has no label of its own: the hook's title is the label",
    hint: 'remove "label" and write the text as the hook\'s "title"',
    see: 'docs/install-scripts.md, "Consents"',
    severity: "warning",
    takes: ({ kind, field, dialect }) => kind === "key" && dialect === 6 && field === "hooks.*.userOptional.label",
    message: () => '"label" is not a field in version 6, the hook\'s "title" is the label',
    bad: makeHook({ ...LIFECYCLE_ONLY, userOptional: { label: "Do it" } }),
    good: makeHook({ ...LIFECYCLE_ONLY, userOptional: {} }),
  },
  HOOK_EVENT_FUTURE: {
    title: 'An entry of "events" is not known and is dropped as future vocabulary',
    hint: "check the spelling",
    see: 'docs/install-scripts.md, "What is tolerated"',
    severity: "info",
    takes: ({ kind, field, dialect, value }) =>
      dialect === 6 &&
      ((field === "hooks.*.events.*" && (kind === "word" || kind === "type")) ||
        (field === "hooks.*.events.*.event" && kind === "word" && typeof value === "string" && value !== "userAction")),
    message: ({ value }) => `event ${quote(value)} is not known and is dropped`,
    hintFor: suggestWord,
    bad: makeHook({ events: ["userAction", "onMoonrise"] }),
    good: makeHook({ events: ["userAction"] }),
  },
  CONDITION_TYPE_UNKNOWN: {
    title: "A condition of an unknown type never passes",
    hint: "check the spelling",
    see: 'docs/install-scripts.md, "Conditions"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) =>
      kind === "word" && /^(hooks|widgets)\.\*\.conditions\.\*\.type$/.test(field) && typeof value === "string",
    message: ({ value, allowed }) =>
      `condition type ${quote(value)} is not known, the gate never passes; allowed are ${allowed}`,
    hintFor: suggestWord,
    bad: makeHook({ conditions: [{ role: "visibility", type: "moonPhase" }] }),
    good: makeHook({ conditions: [{ role: "visibility", type: "appRunning", app: "example" }] }),
  },
  HOOK_TIMEOUT_CLAMPED: {
    title: "A hook's timeout is above 6 hours and is lowered to that",
    hint: "write at most 21600 seconds",
    see: DECISIONS,
    severity: "warning",
    takes: ({ kind, field }) => kind === "high" && field === "hooks.*.timeout",
    message: ({ value }) => `timeout ${quote(value)} is read as 21600 seconds, the most allowed`,
    bad: makeHook({ timeout: 86400 }),
    good: makeHook({ timeout: 3600 }),
  },
  HOOK_RETRIES_CLAMPED: {
    title: "A hook's retries are above 5 and are lowered to that",
    hint: "write at most 5 retries",
    see: DECISIONS,
    severity: "warning",
    takes: ({ kind, field }) => kind === "high" && field === "hooks.*.retries",
    message: ({ value }) => `retries ${quote(value)} are read as 5, the most allowed`,
    bad: makeHook({ retries: 100 }),
    good: makeHook({ retries: 2 }),
  },
  WIDGET_TIMEOUT_CLAMPED: {
    title: "A widget's timeout is above 60 seconds and is lowered to that",
    hint: "write at most 60 seconds",
    see: DECISIONS,
    severity: "warning",
    takes: ({ kind, field }) => kind === "high" && field === "widgets.*.timeout",
    message: ({ value }) => `timeout ${quote(value)} is read as 60 seconds, the most allowed`,
    bad: makeWidget({ timeout: 120 }),
    good: makeWidget({ timeout: 60 }),
  },
  WIDGET_REFRESH_CLAMPED: {
    title: "A widget's refresh is below 10 seconds and is raised to that",
    hint: "write at least 10 seconds",
    see: 'docs/install-scripts.md, "Limits"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field }) => kind === "low" && field === "widgets.*.refresh",
    message: ({ value }) => `refresh ${quote(value)} is read as 10 seconds, the least allowed`,
    bad: makeWidget({ refresh: 5 }),
    good: makeWidget({ refresh: 10 }),
  },
  HOOK_REQUIRES_TOO_MANY: {
    title: "A hook requires more than 8 hooks",
    hint: "name at most 8 hooks",
    see: 'docs/install-scripts.md, "Limits"',
    severity: "error",
    takes: ({ kind, field }) => kind === "high" && field === "hooks.*.requiresHooks",
    message: ({ value }) => `"requiresHooks" names ${readLength(value)} hooks, allowed are at most 8`,
    bad: makeHook({ requiresHooks: makeIds(9) }, ...makeIds(9).map((id) => ({ id }))),
    good: makeHook({ requiresHooks: makeIds(8) }, ...makeIds(9).map((id) => ({ id }))),
  },
  HOOK_FLOW_UNSUPPORTED: {
    title: "An OAuth flow is not of the type that exists",
    hint: 'write "type": "pin"',
    see: 'docs/install-scripts.md, "HookInput"; docs/decisions.md, section 5',
    severity: "error",
    takes: ({ kind, field }) => kind === "word" && field === "hooks.*.inputs.*.flow.type",
    message: ({ value }) => `OAuth flow ${quote(value)} is not supported; allowed is "pin"`,
    bad: makeHook({ inputs: [makeOAuth({ type: "device" })] }),
    good: makeHook({ inputs: [makeOAuth({ type: "pin" })] }),
  },
  HOOK_OAUTH_HEADER: {
    title: "A header of an OAuth flow is not one it may send",
    hint: `use ${PROVIDER_HEADERS}`,
    see: 'docs/install-scripts.md, "HookInput"; README, Choices',
    severity: "error",
    takes: ({ kind, field }) => kind === "form" && field.startsWith("hooks.*.inputs.*.flow.headers."),
    message: ({ path, value }) => `an OAuth flow may not send the header ${quote(path.at(-1))}: ${quote(value)}`,
    bad: makeHook({ inputs: [makeOAuth({ type: "pin", headers: { Cookie: "session=1" } })] }),
    good: makeHook({ inputs: [makeOAuth({ type: "pin", headers: { "X-Plex-Product": "Slipway" } })] }),
  },
  WIDGET_ID_INVALID: {
    title: "A widget's id has other characters than allowed",
    hint: "use lowercase letters, digits, - and _ only",
    see: 'docs/install-scripts.md, "Widgets"',
    severity: "error",
    takes: ({ kind, field }) => kind === "form" && field === "widgets.*.id",
    message: ({ value }) => `widget id ${quote(value)} must have lowercase letters, digits, "-" and "_" only`,
    bad: makeWidget({ id: "My Tile" }),
    good: makeWidget({ id: "my-tile" }),
  },
  WIDGET_BUTTONS_TOO_MANY: {
    title: "A widget has more than 4 buttons",
    hint: "name at most 4 hooks",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    takes: ({ kind, field }) => kind === "high" && field === "widgets.*.buttons",
    message: ({ value }) => `"buttons" names ${readLength(value)} hooks, allowed are at most 4`,
    bad: withButtons(5),
    good: withButtons(4),
  },
  WIDGET_SLOTS_COUNT: {
    title: "A widget's size has too few or too many slots",
    hint: "give small 1 to 3 slots, large 1 to 4",
    see: 'docs/install-scripts.md, "Limits"',
    severity: "error",
    takes: ({ kind, field }) =>
      (kind === "high" || kind === "low") && /^widgets\.\*\.sizes\.(small|large)\.slots$/.test(field),
    message: ({ value, allowed }) => `"slots" has ${readLength(value)} slots; allowed are ${allowed}`,
    bad: makeWidget({ sizes: { small: { slots: [] } } }),
    good: makeWidget({ sizes: { small: { slots: [{ type: "stat", field: "streams" }] } } }),
  },
} as const satisfies Record<string, FieldRule>;

function coerceText(value: unknown): string | null {
  if (typeof value !== "string" || !/^v?\d+(\.\d+)*/.test(value.trim())) return null;
  return coerce(value)?.version ?? null;
}

function readLength(value: FieldIssue["value"]): number {
  return Array.isArray(value) ? value.length : 0;
}

function makeIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `step-${index + 1}`);
}

function makeOAuth(flow: Record<string, unknown>): Record<string, unknown> {
  const rest = {
    pinUrl: "https://example.com/pins",
    authUrl: "https://example.com/auth?id={clientId}&code={code}",
    pollUrl: "https://example.com/pins/{pinId}",
    clientId: "slipway",
    tokenField: "token",
  };
  return { type: "oauth", id: "login", name: "Sign in", provider: "example", flow: { ...rest, ...flow } };
}

function withButtons(count: number): string {
  const hooks: { hooks: unknown } = JSON.parse(makeHook(...makeIds(count).map((id) => ({ id }))));
  const widgets: { widgets: unknown } = JSON.parse(makeWidget({ buttons: makeIds(count) }));
  return makeScript({ hooks: hooks.hooks, widgetsSchema: 2, widgets: widgets.widgets });
}
