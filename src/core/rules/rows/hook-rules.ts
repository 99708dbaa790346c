/** Rows about one hook: an error drops it alone. */
import { isJsonObject, type JsonObject, type JsonPath } from "../../json/json.ts";
import { isUpgrade } from "../../script/parse-dictionary-hook.ts";
import { isTrueAt, listAt, objectAt, own, textAt } from "../../script/parse-dictionary-read.ts";
import { aHook, aHook5, LIFECYCLE_ONLY } from "../example.ts";
import type { Finding } from "../finding.ts";
import type { HookSubject } from "../hook-subject.ts";
import { repeatsIn } from "../repeats.ts";
import { placeOfMissing, quote, type SubjectRule, when } from "../row.ts";
import { missingOptions, strayDefault } from "./script-rules.ts";

const A_CHOICE = { type: "select", options: [{ text: "One", value: "1" }] } as const;
const UPGRADE = { ...LIFECYCLE_ONLY, events: ["onAfterUpgrade"] };

export const HOOK_RULES = {
  HOOK_EVENTS_NONE: {
    title: 'No entry of "events" is known, so the hook is dropped',
    hint: 'name at least one known event, or leave "events" out for ["userAction"]',
    see: 'docs/install-scripts.md, "What is tolerated"; docs/decisions.md, section 1',
    severity: "error",
    find: ({ dialect, hook, path, eventless, name }) =>
      when(dialect === 6 && eventless && Array.isArray(own(hook, "events")), () => ({
        path: [...path, "events"],
        message: `${name} has no known event in "events"`,
      })),
    bad: aHook({ events: [], rerun: undefined }),
    good: aHook({ events: ["userAction"] }),
  },
  HOOK_EVENTS_DUPLICATE: {
    title: "An event is listed twice",
    hint: "remove the second one",
    see: "docs/decisions.md, section 1",
    severity: "warning",
    find: (subject) => repeats(subject, "events", "event"),
    bad: aHook({ events: ["userAction", "userAction"] }),
    good: aHook({ events: ["userAction"] }),
  },
  HOOK_SURFACES_DUPLICATE: {
    title: "A surface is listed twice",
    hint: "remove the second one",
    see: "docs/decisions.md, section 1",
    severity: "warning",
    find: (subject) => repeats(subject, "surfaces", "surface"),
    bad: aHook({ surfaces: ["card", "card"] }),
    good: aHook({ surfaces: ["card"] }),
  },
  HOOK_REQUIRES_DUPLICATE: {
    title: "A required hook is listed twice",
    hint: "remove the second one",
    see: "docs/decisions.md, section 1",
    severity: "warning",
    find: (subject) => repeats(subject, "requiresHooks", "required hook"),
    bad: aHook({ id: "first" }, { requiresHooks: ["first", "first"] }),
    good: aHook({ id: "first" }, { requiresHooks: ["first"] }),
  },
  HOOK_RANGE_ON_INSTALL: {
    title: 'An install event has "from" or "to"',
    hint: 'remove "from" and "to", or use an upgrade event',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, hook, path, name }) =>
      (dialect === 6 ? listAt(hook, "events") : []).flatMap((entry, index) => {
        if (!isJsonObject(entry) || !["onBeforeInstall", "onAfterInstall"].includes(textAt(entry, "event") ?? ""))
          return [];
        return ["from", "to"].flatMap((key) =>
          when(own(entry, key) !== undefined, () => ({
            path: [...path, "events", index, key],
            key: true,
            message: `${name} has "${key}" on ${quote(textAt(entry, "event"))}; it applies to upgrade events only`,
          })),
        );
      }),
    bad: aHook({ ...LIFECYCLE_ONLY, events: [{ event: "onAfterInstall", from: "<2.0.0" }] }),
    good: aHook({ ...LIFECYCLE_ONLY, events: [{ event: "onAfterUpgrade", from: "<2.0.0" }] }),
  },
  HOOK_RANGE_WITH_USER_ACTION: {
    title: 'A lifecycle event with "from" or "to" is combined with "userAction"',
    hint: "declare the action as a hook of its own",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ user, triggers, hook, path, name }) =>
      when(
        user && triggers.some((trigger) => isUpgrade(trigger.event) && ("from" in trigger || "to" in trigger)),
        () => ({
          path: [...path, "events", indexOfEvent(hook, "userAction")],
          message: `${name} combines "userAction" with an upgrade event that has "from" or "to"`,
        }),
      ),
    bad: aHook({ events: ["userAction", { event: "onAfterUpgrade", from: "<2.0.0" }] }),
    good: aHook({ events: ["userAction", "onAfterUpgrade"] }),
  },
  HOOK_EVENTS_CLASH: {
    title: "One hook has both the event before and the event after",
    hint: "split it into two hooks with distinct ids",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ triggers, hook, path, name }) =>
      [["onBeforeInstall", "onAfterInstall"] as const, ["onBeforeUpgrade", "onAfterUpgrade"] as const].flatMap(
        ([before, after]) =>
          when(
            [before, after].every((event) => triggers.some((trigger) => trigger.event === event)),
            () => ({
              path: [...path, "events", Math.max(indexOfEvent(hook, before), indexOfEvent(hook, after))],
              message: `${name} has both "${before}" and "${after}"; one hook may have only one of them`,
            }),
          ),
      ),
    bad: aHook({ ...LIFECYCLE_ONLY, events: ["onBeforeInstall", "onAfterInstall"] }),
    good: aHook({ ...LIFECYCLE_ONLY, events: ["onBeforeInstall", "onAfterUpgrade"] }),
  },
  HOOK_RERUN_MISSING: {
    title: 'A hook that a user can start has no "rerun"',
    hint: 'add "rerun": "idempotent", "converge" or "refuse"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, user, hook, path, name }) =>
      when(dialect === 6 && user && own(hook, "rerun") === undefined, () => ({
        path: placeOfMissing(path, hook),
        message: `${name} can be started by a user but has no "rerun"`,
      })),
    bad: aHook({ rerun: undefined }),
    good: aHook({ rerun: "converge" }),
  },
  HOOK_RERUN_UNUSED: {
    title: 'A hook that no user can start has "rerun"',
    hint: 'remove "rerun", or add "userAction" to "events"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, eventless, user, hook, path, name }) =>
      when(dialect === 6 && !eventless && !user && own(hook, "rerun") !== undefined, () => ({
        path: [...path, "rerun"],
        key: true,
        message: `${name} has "rerun" but can't be started by a user`,
      })),
    bad: aHook({ events: ["onAfterInstall"] }),
    good: aHook({ events: ["onAfterInstall"], rerun: undefined }),
  },
  HOOK_OPTIONAL_UNUSED: {
    title: 'A hook without a lifecycle event is "optional"',
    hint: 'remove "optional", or add a lifecycle event',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, eventless, lifecycle, hook, path, name }) =>
      when(dialect === 6 && !eventless && !lifecycle && isTrueAt(hook, "optional"), () => ({
        path: [...path, "optional"],
        key: true,
        message: `${name} is "optional" but has no lifecycle event`,
      })),
    bad: aHook({ optional: true }),
    good: aHook({ ...LIFECYCLE_ONLY, optional: true }),
  },
  HOOK_CONSENT_UNUSED: {
    title: 'A hook without an install event has "userOptional"',
    hint: 'remove "userOptional", or add an install event',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ eventless, install, hook, path, name }) =>
      when(!eventless && !install && own(hook, "userOptional") !== undefined, () => ({
        path: [...path, "userOptional"],
        key: true,
        message: `${name} has "userOptional" but no install event`,
      })),
    bad: aHook({ userOptional: {} }),
    good: aHook({ ...LIFECYCLE_ONLY, userOptional: {} }),
  },
  HOOK_TARGET_WITH_LIFECYCLE: {
    title: "A hook with a target has a lifecycle event",
    hint: 'remove the lifecycle event, or the "target"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ dialect, lifecycle, hook, path, name }) =>
      when(dialect === 6 && lifecycle && own(hook, "target") !== undefined, () => ({
        path: [...path, "target"],
        key: true,
        message: `${name} has a "target" together with a lifecycle event; a target is user-fired only`,
      })),
    bad: aHook({ ...LIFECYCLE_ONLY, target: { type: "files", accepts: [".mkv"] } }),
    good: aHook({ target: { type: "files", accepts: [".mkv"] } }),
  },
  HOOK_OWN_VERSION_GATE: {
    title: "An upgrade hook is gated by the version of its own app",
    hint: 'write "from" and "to" in the entry of "events"',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ upgrade, conditions, appId, hook, path, name }) =>
      when(upgrade && conditions.some(({ type, app }) => type === "appVersion" && app === appId), () => ({
        path: [...path, "conditions", indexOfCondition(hook, (type, app) => type === "appVersion" && app === appId)],
        message: `${name} has an "appVersion" condition on its own app; the gate belongs on the upgrade event's entry`,
      })),
    bad: aHook({ ...UPGRADE, conditions: [anOwnVersion()] }),
    good: aHook({ ...UPGRADE, events: [{ event: "onAfterUpgrade", to: ">=2.0.0" }] }),
  },
  HOOK_CROSS_APP_LIFECYCLE: {
    title: "A hook with a lifecycle event has a condition on another app",
    hint: "remove the lifecycle event: cross-app connects fire from the install picker",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ lifecycle, foreign, hook, path, name }) =>
      when(lifecycle && foreign.length > 0, () => ({
        path: [...path, "conditions", indexOfCondition(hook, (_, app) => app === foreign[0]), "app"],
        message: `${name} has a lifecycle event and a condition on ${quote(foreign[0])}; cross-app connects fire from the install picker, the lifecycle event is to be removed`,
      })),
    bad: aHook({ ...LIFECYCLE_ONLY, conditions: [aRunning("plex")] }),
    good: aHook({ conditions: [aRunning("plex")] }),
  },
  HOOK_CONDITION_UNUSED: {
    title: "A version 5 install hook has a version condition, which says nothing",
    hint: 'remove "condition", or use an upgrade event',
    see: 'docs/install-scripts.md, "Hook5"',
    severity: "warning",
    find: ({ dialect, install, hook, path, name }) =>
      when(dialect === 5 && install && own(hook, "condition") !== undefined, () => ({
        path: [...path, "condition"],
        key: true,
        message: `${name} has a "condition", which applies to upgrade events only`,
      })),
    bad: aHook5({ condition: { fromVersionRange: "<2.0.0" } }),
    good: aHook5({ event: "onAfterUpgrade", condition: { fromVersionRange: "<2.0.0" } }),
  },
  INPUT_ID_DUPLICATE: {
    title: "Two inputs of one hook have one id",
    hint: "give every input an id of its own",
    see: 'docs/install-scripts.md, "HookInput"',
    severity: "error",
    find: ({ hook, path, name }) => {
      const ids = listAt(hook, "inputs").map((input) => (isJsonObject(input) ? textAt(input, "id") : undefined));
      return repeatsIn(ids).map(({ index, first }) => ({
        path: [...path, "inputs", index, "id"],
        message: `${name} has two inputs with the id ${quote(ids[index])}`,
        related: [{ path: [...path, "inputs", first, "id"], message: "the first one" }],
      }));
    },
    bad: aHook({ inputs: [anInput("name"), anInput("name")] }),
    good: aHook({ inputs: [anInput("name"), anInput("nick")] }),
  },
  INPUT_OPTIONS_MISSING: {
    title: "A select input has no options",
    hint: 'add "options": [{"text": ..., "value": ...}]',
    see: 'docs/install-scripts.md, "HookInput"; docs/decisions.md, section 1',
    severity: "error",
    find: (subject) => inputQuestions(subject).flatMap(({ question, path }) => missingOptions(question, path)),
    bad: aHook({ inputs: [anInput("name", { type: "select" })] }),
    good: aHook({ inputs: [anInput("name", A_CHOICE)] }),
  },
  INPUT_DEFAULT_NOT_OPTION: {
    title: "The default of a select input is not one of its options",
    hint: "make the default the value of one of the options",
    see: 'docs/install-scripts.md, "HookInput"; docs/decisions.md, section 1',
    severity: "error",
    find: (subject) => inputQuestions(subject).flatMap(({ question, path }) => strayDefault(question, path)),
    bad: aHook({ inputs: [anInput("name", { ...A_CHOICE, default: "2" })] }),
    good: aHook({ inputs: [anInput("name", { ...A_CHOICE, default: "1" })] }),
  },
} as const satisfies Record<string, SubjectRule<HookSubject>>;

/** The questions among a hook's inputs, each with its place. */
function inputQuestions({ hook, path }: HookSubject): { readonly question: JsonObject; readonly path: JsonPath }[] {
  return listAt(hook, "inputs").flatMap((input, index) => {
    const question = isJsonObject(input) ? objectAt(input, "question") : undefined;
    return question === undefined ? [] : [{ question, path: [...path, "inputs", index, "question"] }];
  });
}

/** The entries of a version 6 hook's list that stand there before, compared as JSON. */
function repeats({ dialect, hook, path }: HookSubject, key: string, what: string): readonly Finding[] {
  if (dialect !== 6) return [];
  const list = listAt(hook, key);
  return repeatsIn(list.map((entry) => JSON.stringify(entry))).map(({ index }) => {
    return { path: [...path, key, index], message: `${what} ${quote(list[index])} is listed twice` };
  });
}

function indexOfEvent(hook: HookSubject["hook"], event: string): number {
  return listAt(hook, "events").findIndex((entry) => (isJsonObject(entry) ? textAt(entry, "event") : entry) === event);
}

function indexOfCondition(
  hook: HookSubject["hook"],
  test: (type: string | undefined, app: string | undefined) => boolean,
): number {
  return listAt(hook, "conditions").findIndex(
    (condition) => isJsonObject(condition) && test(textAt(condition, "type"), textAt(condition, "app")),
  );
}

function anOwnVersion(): Record<string, unknown> {
  return { role: "visibility", type: "appVersion", app: "example", range: ">=2.0.0" };
}

function aRunning(app: string): Record<string, unknown> {
  return { role: "visibility", type: "appRunning", app };
}

function anInput(id: string, question: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: "question", id, question: { question: "Name?", type: "text", key: id, ...question } };
}
