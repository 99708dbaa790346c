/** Rows about one hook: an error drops it alone. */
import { isJsonObject, type JsonObject, type JsonPath } from "../../json/json.ts";
import { isUpgrade } from "../../script/parse/parse-triggers.ts";
import { getOwn, isTrueAt, readList, readObject, readText } from "../../script/parse/read-fields.ts";
import type { UncodedDiagnostic } from "../diagnostic.ts";
import { LIFECYCLE_ONLY, makeHook, makeHook5 } from "../example.ts";
import type { HookSubject } from "../hook-subject.ts";
import { findRepeats } from "../repeats.ts";
import { findMissingPlace, quote, reportWhen, type SubjectRule } from "../row.ts";
import { reportMissingOptions, reportStrayDefault } from "./script-rules.ts";

const A_CHOICE = { type: "select", options: [{ text: "One", value: "1" }] } as const;
const UPGRADE = { ...LIFECYCLE_ONLY, events: ["onAfterUpgrade"] };

export const HOOK_RULES = {
  HOOK_EVENTS_NONE: {
    title: 'No entry of "events" is known, so the hook is dropped',
    hint: 'name at least one known event, or leave "events" out for ["userAction"]',
    see: 'docs/install-scripts.md, "What is tolerated"; docs/decisions.md, section 1',
    severity: "error",
    find: ({ dialect, hook, path, eventless, name }) =>
      reportWhen(dialect === 6 && eventless && Array.isArray(getOwn(hook, "events")), () => ({
        path: [...path, "events"],
        message: `${name} has no known event in "events"`,
      })),
    bad: makeHook({ events: [], rerun: undefined }),
    good: makeHook({ events: ["userAction"] }),
  },
  HOOK_EVENTS_DUPLICATE: {
    title: "An event is listed twice",
    hint: "remove the second one",
    see: "docs/decisions.md, section 1",
    severity: "warning",
    find: (subject) => reportRepeats(subject, "events", "event"),
    bad: makeHook({ events: ["userAction", "userAction"] }),
    good: makeHook({ events: ["userAction"] }),
  },
  HOOK_SURFACES_DUPLICATE: {
    title: "A surface is listed twice",
    hint: "remove the second one",
    see: "docs/decisions.md, section 1",
    severity: "warning",
    find: (subject) => reportRepeats(subject, "surfaces", "surface"),
    bad: makeHook({ surfaces: ["card", "card"] }),
    good: makeHook({ surfaces: ["card"] }),
  },
  HOOK_REQUIRES_DUPLICATE: {
    title: "A required hook is listed twice",
    hint: "remove the second one",
    see: "docs/decisions.md, section 1",
    severity: "warning",
    find: (subject) => reportRepeats(subject, "requiresHooks", "required hook"),
    bad: makeHook({ id: "first" }, { requiresHooks: ["first", "first"] }),
    good: makeHook({ id: "first" }, { requiresHooks: ["first"] }),
  },
  HOOK_RANGE_ON_INSTALL: {
    title: 'An install event has "from" or "to"',
    hint: 'remove "from" and "to", or use an upgrade event',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, hook, path, name }) =>
      (dialect === 6 ? readList(hook, "events") : []).flatMap((entry, index) => {
        if (!isJsonObject(entry) || !["onBeforeInstall", "onAfterInstall"].includes(readText(entry, "event") ?? ""))
          return [];
        return ["from", "to"].flatMap((key) =>
          reportWhen(getOwn(entry, key) !== undefined, () => ({
            path: [...path, "events", index, key],
            key: true,
            message: `${name} has "${key}" on ${quote(readText(entry, "event"))}; it applies to upgrade events only`,
          })),
        );
      }),
    bad: makeHook({ ...LIFECYCLE_ONLY, events: [{ event: "onAfterInstall", from: "<2.0.0" }] }),
    good: makeHook({ ...LIFECYCLE_ONLY, events: [{ event: "onAfterUpgrade", from: "<2.0.0" }] }),
  },
  HOOK_RANGE_WITH_USER_ACTION: {
    title: 'A lifecycle event with "from" or "to" is combined with "userAction"',
    hint: "declare the action as a hook of its own",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ user, triggers, hook, path, name }) =>
      reportWhen(
        user && triggers.some((trigger) => isUpgrade(trigger.event) && ("from" in trigger || "to" in trigger)),
        () => ({
          path: [...path, "events", findEventIndex(hook, "userAction")],
          message: `${name} combines "userAction" with an upgrade event that has "from" or "to"`,
        }),
      ),
    bad: makeHook({ events: ["userAction", { event: "onAfterUpgrade", from: "<2.0.0" }] }),
    good: makeHook({ events: ["userAction", "onAfterUpgrade"] }),
  },
  HOOK_EVENTS_CLASH: {
    title: "One hook has both the event before and the event after",
    hint: "split it into two hooks with distinct ids",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ triggers, hook, path, name }) =>
      [["onBeforeInstall", "onAfterInstall"] as const, ["onBeforeUpgrade", "onAfterUpgrade"] as const].flatMap(
        ([before, after]) =>
          reportWhen(
            [before, after].every((event) => triggers.some((trigger) => trigger.event === event)),
            () => ({
              path: [...path, "events", Math.max(findEventIndex(hook, before), findEventIndex(hook, after))],
              message: `${name} has both "${before}" and "${after}"; one hook may have only one of them`,
            }),
          ),
      ),
    bad: makeHook({ ...LIFECYCLE_ONLY, events: ["onBeforeInstall", "onAfterInstall"] }),
    good: makeHook({ ...LIFECYCLE_ONLY, events: ["onBeforeInstall", "onAfterUpgrade"] }),
  },
  HOOK_RERUN_MISSING: {
    title: 'A hook that a user can start has no "rerun"',
    hint: 'add "rerun": "idempotent", "converge" or "refuse"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, user, hook, path, name }) =>
      reportWhen(dialect === 6 && user && getOwn(hook, "rerun") === undefined, () => ({
        path: findMissingPlace(path, hook),
        message: `${name} can be started by a user but has no "rerun"`,
      })),
    bad: makeHook({ rerun: undefined }),
    good: makeHook({ rerun: "converge" }),
  },
  HOOK_RERUN_UNUSED: {
    title: 'A hook that no user can start has "rerun"',
    hint: 'remove "rerun", or add "userAction" to "events"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, eventless, user, hook, path, name }) =>
      reportWhen(dialect === 6 && !eventless && !user && getOwn(hook, "rerun") !== undefined, () => ({
        path: [...path, "rerun"],
        key: true,
        message: `${name} has "rerun" but can't be started by a user`,
      })),
    bad: makeHook({ events: ["onAfterInstall"] }),
    good: makeHook({ events: ["onAfterInstall"], rerun: undefined }),
  },
  HOOK_OPTIONAL_UNUSED: {
    title: 'A hook without a lifecycle event is "optional"',
    hint: 'remove "optional", or add a lifecycle event',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, eventless, lifecycle, hook, path, name }) =>
      reportWhen(dialect === 6 && !eventless && !lifecycle && isTrueAt(hook, "optional"), () => ({
        path: [...path, "optional"],
        key: true,
        message: `${name} is "optional" but has no lifecycle event`,
      })),
    bad: makeHook({ optional: true }),
    good: makeHook({ ...LIFECYCLE_ONLY, optional: true }),
  },
  HOOK_CONSENT_UNUSED: {
    title: 'A hook without an install event has "userOptional"',
    hint: 'remove "userOptional", or add an install event',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ eventless, install, hook, path, name }) =>
      reportWhen(!eventless && !install && getOwn(hook, "userOptional") !== undefined, () => ({
        path: [...path, "userOptional"],
        key: true,
        message: `${name} has "userOptional" but no install event`,
      })),
    bad: makeHook({ userOptional: {} }),
    good: makeHook({ ...LIFECYCLE_ONLY, userOptional: {} }),
  },
  HOOK_TARGET_WITH_LIFECYCLE: {
    title: "A hook with a target has a lifecycle event",
    hint: 'remove the lifecycle event, or the "target"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, lifecycle, hook, path, name }) =>
      reportWhen(dialect === 6 && lifecycle && getOwn(hook, "target") !== undefined, () => ({
        path: [...path, "target"],
        key: true,
        message: `${name} has a "target" together with a lifecycle event; a target is user-fired only`,
      })),
    bad: makeHook({ ...LIFECYCLE_ONLY, target: { type: "files", accepts: [".mkv"] } }),
    good: makeHook({ target: { type: "files", accepts: [".mkv"] } }),
  },
  HOOK_OWN_VERSION_GATE: {
    title: "An upgrade hook is gated by the version of its own app",
    hint: 'write "from" and "to" in the entry of "events"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ upgrade, conditions, appId, hook, path, name }) =>
      reportWhen(upgrade && conditions.some(({ type, app }) => type === "appVersion" && app === appId), () => ({
        path: [...path, "conditions", findConditionIndex(hook, (type, app) => type === "appVersion" && app === appId)],
        message: `${name} has an "appVersion" condition on its own app; the gate belongs on the upgrade event's entry`,
      })),
    bad: makeHook({ ...UPGRADE, conditions: [makeOwnVersion()] }),
    good: makeHook({ ...UPGRADE, events: [{ event: "onAfterUpgrade", to: ">=2.0.0" }] }),
  },
  HOOK_CROSS_APP_LIFECYCLE: {
    title: "A hook with a lifecycle event has a condition on another app",
    hint: "remove the lifecycle event: cross-app connects fire from the install picker",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ lifecycle, foreign, hook, path, name }) =>
      reportWhen(lifecycle && foreign.length > 0, () => ({
        path: [...path, "conditions", findConditionIndex(hook, (_, app) => app === foreign[0]), "app"],
        message: `${name} has a lifecycle event and a condition on ${quote(foreign[0])}; cross-app connects fire from the install picker, the lifecycle event is to be removed`,
      })),
    bad: makeHook({ ...LIFECYCLE_ONLY, conditions: [makeRunning("plex")] }),
    good: makeHook({ conditions: [makeRunning("plex")] }),
  },
  HOOK_CONDITION_UNUSED: {
    title: "A version 5 install hook has a version condition, which says nothing",
    hint: 'remove "condition", or use an upgrade event',
    see: 'docs/install-scripts.md, "Hook5"',
    severity: "warning",
    find: ({ dialect, install, hook, path, name }) =>
      reportWhen(dialect === 5 && install && getOwn(hook, "condition") !== undefined, () => ({
        path: [...path, "condition"],
        key: true,
        message: `${name} has a "condition", which applies to upgrade events only`,
      })),
    bad: makeHook5({ condition: { fromVersionRange: "<2.0.0" } }),
    good: makeHook5({ event: "onAfterUpgrade", condition: { fromVersionRange: "<2.0.0" } }),
  },
  INPUT_ID_DUPLICATE: {
    title: "Two inputs of one hook have one id",
    hint: "give every input an id of its own",
    see: 'docs/install-scripts.md, "HookInput"',
    severity: "error",
    find: ({ hook, path, name }) => {
      const ids = readList(hook, "inputs").map((input) => (isJsonObject(input) ? readText(input, "id") : undefined));
      return findRepeats(ids).map(({ index, first }) => ({
        path: [...path, "inputs", index, "id"],
        message: `${name} has two inputs with the id ${quote(ids[index])}`,
        related: [{ path: [...path, "inputs", first, "id"], message: "the first one" }],
      }));
    },
    bad: makeHook({ inputs: [makeInput("name"), makeInput("name")] }),
    good: makeHook({ inputs: [makeInput("name"), makeInput("nick")] }),
  },
  INPUT_OPTIONS_MISSING: {
    title: "A select input has no options",
    hint: 'add "options": [{"text": ..., "value": ...}]',
    see: 'docs/install-scripts.md, "HookInput"; docs/decisions.md, section 1',
    severity: "error",
    find: (subject) =>
      listInputQuestions(subject).flatMap(({ question, path }) => reportMissingOptions(question, path)),
    bad: makeHook({ inputs: [makeInput("name", { type: "select" })] }),
    good: makeHook({ inputs: [makeInput("name", A_CHOICE)] }),
  },
  INPUT_DEFAULT_NOT_OPTION: {
    title: "The default of a select input is not one of its options",
    hint: "make the default the value of one of the options",
    see: 'docs/install-scripts.md, "HookInput"; docs/decisions.md, section 1',
    severity: "error",
    find: (subject) => listInputQuestions(subject).flatMap(({ question, path }) => reportStrayDefault(question, path)),
    bad: makeHook({ inputs: [makeInput("name", { ...A_CHOICE, default: "2" })] }),
    good: makeHook({ inputs: [makeInput("name", { ...A_CHOICE, default: "1" })] }),
  },
} as const satisfies Record<string, SubjectRule<HookSubject>>;

/** The questions among a hook's inputs, each with its place. */
function listInputQuestions({ hook, path }: HookSubject): { readonly question: JsonObject; readonly path: JsonPath }[] {
  return readList(hook, "inputs").flatMap((input, index) => {
    const question = isJsonObject(input) ? readObject(input, "question") : undefined;
    return question === undefined ? [] : [{ question, path: [...path, "inputs", index, "question"] }];
  });
}

/** The entries of a version 6 hook's list that stand there before, compared as JSON. */
function reportRepeats({ dialect, hook, path }: HookSubject, key: string, what: string): readonly UncodedDiagnostic[] {
  if (dialect !== 6) return [];
  const list = readList(hook, key);
  return findRepeats(list.map((entry) => JSON.stringify(entry))).map(({ index }) => {
    return { path: [...path, key, index], message: `${what} ${quote(list[index])} is listed twice` };
  });
}

function findEventIndex(hook: HookSubject["hook"], event: string): number {
  return readList(hook, "events").findIndex(
    (entry) => (isJsonObject(entry) ? readText(entry, "event") : entry) === event,
  );
}

function findConditionIndex(
  hook: HookSubject["hook"],
  test: (type: string | undefined, app: string | undefined) => boolean,
): number {
  return readList(hook, "conditions").findIndex(
    (condition) => isJsonObject(condition) && test(readText(condition, "type"), readText(condition, "app")),
  );
}

function makeOwnVersion(): Record<string, unknown> {
  return { role: "visibility", type: "appVersion", app: "example", range: ">=2.0.0" };
}

function makeRunning(app: string): Record<string, unknown> {
  return { role: "visibility", type: "appRunning", app };
}

function makeInput(id: string, question: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: "question", id, question: { question: "Name?", type: "text", key: id, ...question } };
}
