/** Issues of the schema in hooks, their events, consents, inputs and conditions. */
import { FORBIDDEN_HEADERS } from "../../hooks/oauth-headers.ts";
import { LIFECYCLE_EVENTS } from "../../script/dictionary.ts";
import { LIFECYCLE_ONLY, makeHook } from "../example.ts";
import type { FieldIssue } from "../field-issue.ts";
import { nameEntry, suggestWord } from "../field-words.ts";
import { findWithin } from "../nearest.ts";
import { type FieldRule, quote } from "../row.ts";

/** Keys of other dialects for the versions an event is bound to, and what to write instead. */
const RANGE_KEYS: ReadonlyMap<string, string | undefined> = new Map([
  ["fromVersionRange", 'write "from"'],
  ["toVersionRange", 'write "to"'],
  ["versionRange", undefined],
  ["range", undefined],
]);

const DECISIONS = "docs/decisions.md, section 1";

/** Rows for fields of hooks. */
export const HOOK_FIELD_RULES = {
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
  HOOK_EVENT_MISSPELT: {
    title: 'An entry of "events" is one or two letters away from a known one, and is dropped',
    hint: "correct the spelling",
    see: 'docs/install-scripts.md, "What is tolerated"',
    severity: "warning",
    takes: (issue) => isUnknownEvent(issue) && findNearEvent(issue) !== undefined,
    message: ({ value }) => `event ${quote(value)} is not known and is dropped`,
    hintFor: (issue) => `write "${findNearEvent(issue)}"`,
    bad: makeHook({ events: ["onAfterInstal", "userAction"] }),
    good: makeHook({ events: ["userAction"] }),
  },
  HOOK_EVENT_FUTURE: {
    title: 'An entry of "events" is not known and is dropped as future vocabulary',
    hint: "check the spelling",
    see: 'docs/install-scripts.md, "What is tolerated"',
    severity: "info",
    takes: isUnknownEvent,
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
    title: "A hook's retries are above 100 and are lowered to that",
    hint: "write at most 100 retries",
    see: DECISIONS,
    severity: "warning",
    takes: ({ kind, field }) => kind === "high" && field === "hooks.*.retries",
    message: ({ value }) => `retries ${quote(value)} are read as 100, the most allowed`,
    bad: makeHook({ retries: 101 }),
    good: makeHook({ retries: 100 }),
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
    hint: `leave it out: a flow sends at most 20 headers of 4096 characters in all, and none of ${FORBIDDEN_HEADERS}`,
    see: 'docs/install-scripts.md, "HookInput"; README, Choices',
    severity: "error",
    takes: ({ kind, field }) => kind === "form" && `${field}.`.startsWith("hooks.*.inputs.*.flow.headers."),
    message: ({ path, value, allowed }) =>
      path.at(-1) === "headers"
        ? `the headers of an OAuth flow are too many or too long, allowed are ${allowed}`
        : `an OAuth flow may not send the header ${quote(path.at(-1))}: ${quote(value)}`,
    bad: makeHook({ inputs: [makeOAuth({ type: "pin", headers: { Cookie: "session=1" } })] }),
    good: makeHook({ inputs: [makeOAuth({ type: "pin", headers: { "X-Shop-Api-Version": "2026-01-01" } })] }),
  },
} as const satisfies Record<string, FieldRule>;

/** An event that may be of a later version of the format. */
function isUnknownEvent({ kind, field, dialect, value }: FieldIssue): boolean {
  if (dialect !== 6) return false;
  if (field === "hooks.*.events.*") return kind === "word" || kind === "type";
  return field === "hooks.*.events.*.event" && kind === "word" && typeof value === "string" && value !== "userAction";
}

function findNearEvent({ value }: FieldIssue): string | undefined {
  return typeof value === "string" ? findWithin(value, ["userAction", ...LIFECYCLE_EVENTS], 2) : undefined;
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
