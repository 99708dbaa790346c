/**
 * Rows about what hooks and widgets say of each other. They depend on which hooks are kept, and drop hooks themselves,
 * so `keep-hooks.ts` runs them until nothing changes.
 */
import { isJsonObject, type JsonObject, type JsonPath } from "../../json/json.ts";
import { readList, readText } from "../../script/parse/read-fields.ts";
import type { UncodedDiagnostic } from "../diagnostic.ts";
import { makeHook } from "../example.ts";
import { findRepeats } from "../repeats.ts";
import { quote, reportWhen, type SubjectRule } from "../row.ts";
import { makeTile } from "./widget-rules.ts";

/** A list of hooks or widgets; `kept` are those without an error so far. */
export interface ListSubject {
  readonly list: "hooks" | "widgets";
  readonly script: JsonObject;
}

/** Two declarations with one id: the first is kept, with whatever faults it has. */
export const LIST_RULES = {
  HOOK_ID_DUPLICATE: {
    title: "Two hooks have one id; the first is kept",
    hint: "give every hook an id of its own",
    see: 'docs/install-scripts.md, "Fields that go together"; docs/decisions.md, section 1',
    severity: "error",
    find: (subject) => (subject.list === "hooks" ? reportDuplicates(subject) : []),
    bad: makeHook({}, {}),
    good: makeHook({}, { id: "other" }),
  },
  WIDGET_ID_DUPLICATE: {
    title: "Two widgets have one id; the first is kept",
    hint: "give every widget an id of its own",
    see: 'docs/install-scripts.md, "Widgets"; docs/decisions.md, section 1',
    severity: "error",
    find: (subject) => (subject.list === "widgets" ? reportDuplicates(subject) : []),
    bad: makeTwoTiles("tile", "tile"),
    good: makeTwoTiles("tile", "other"),
  },
} as const satisfies Record<string, SubjectRule<ListSubject>>;

function reportDuplicates({ list, script }: ListSubject): readonly UncodedDiagnostic[] {
  const ids = readList(script, list).map((item) => (isJsonObject(item) ? readText(item, "id") : undefined));
  return findRepeats(ids).map(({ index, first }) => ({
    path: [list, index, "id"],
    message: `${list.slice(0, -1)} id ${quote(ids[index])} is used twice; the first one is kept, this one is dropped`,
    related: [{ path: [list, first, "id"], message: "the first one" }],
  }));
}

/** A hook among the hooks that are kept. */
export interface RequiringSubject {
  readonly path: JsonPath;
  readonly hook: JsonObject;
  readonly name: string;
  /** Ids of the hooks that are kept. */
  readonly kept: ReadonlySet<string>;
  /** Ids of every hook of the script. */
  readonly declared: ReadonlySet<string>;
  /** The circles among the hooks (`circles.ts`). */
  readonly circles: ReadonlyMap<string, number>;
}

export const REQUIRE_RULES = {
  HOOK_REQUIRES_UNKNOWN: {
    title: "A hook requires a hook that does not exist, is dropped, or is itself",
    hint: "name the id of another valid hook of this script",
    see: "docs/decisions.md, section 1",
    severity: "error",
    find: ({ hook, path, name, kept, declared }) =>
      listRequired(hook).flatMap(({ id, index }) => {
        const self = id === readText(hook, "id");
        if (kept.has(id) && !self) return [];
        const why = self ? "which is itself" : declared.has(id) ? "which is dropped" : "which does not exist";
        return [{ path: [...path, "requiresHooks", index], message: `${name} requires the hook ${quote(id)}, ${why}` }];
      }),
    bad: makeHook({ requiresHooks: ["other"] }),
    good: makeHook({ requiresHooks: ["other"] }, { id: "other" }),
  },
  HOOK_REQUIRES_CYCLE: {
    title: "Hooks require each other in a circle",
    hint: "remove one of the requirements",
    see: "docs/decisions.md, section 1",
    severity: "error",
    find: ({ hook, path, name, circles }) => {
      const own = readText(hook, "id");
      const circle = own === undefined ? undefined : circles.get(own);
      return listRequired(hook).flatMap(({ id, index }) =>
        reportWhen(circle !== undefined && id !== own && circles.get(id) === circle, () => ({
          path: [...path, "requiresHooks", index],
          message: `${name} requires the hook ${quote(id)}, which requires it in turn`,
        })),
      );
    },
    bad: makeHook({ id: "one", requiresHooks: ["two"] }, { id: "two", requiresHooks: ["one"] }),
    good: makeHook({ id: "one", requiresHooks: ["two"] }, { id: "two" }),
  },
} as const satisfies Record<string, SubjectRule<RequiringSubject>>;

/** The hook ids a hook requires, each at the index it stands first. */
export function listRequired(hook: JsonObject): readonly { id: string; index: number }[] {
  const list = readList(hook, "requiresHooks");
  const texts = list.map((id) => (typeof id === "string" ? id : undefined));
  const repeats = new Set(findRepeats(texts).map(({ index }) => index));
  return texts.flatMap((id, index) => (id === undefined || repeats.has(index) ? [] : [{ id, index }]));
}

/** A widget beside the hooks that are kept. */
export interface ButtonSubject {
  readonly path: JsonPath;
  readonly widget: JsonObject;
  readonly name: string;
  /** Why a hook id is no button, or null when it is. */
  readonly refuse: (id: string) => string | null;
}

export const BUTTON_RULES = {
  WIDGET_BUTTON_UNUSABLE: {
    title: "A widget's button is not rendered",
    hint: 'name a hook of this script that a user can start and whose surfaces include "widget"',
    see: 'docs/install-scripts.md, "Widgets"; docs/decisions.md, section 1',
    severity: "warning",
    find: ({ widget, path, name, refuse }) =>
      readList(widget, "buttons").flatMap((id, index) => {
        const why = typeof id === "string" ? refuse(id) : null;
        return reportWhen(why !== null, () => ({
          path: [...path, "buttons", index],
          message: `${name} has the button ${quote(id)}, which is not rendered: ${why}`,
        }));
      }),
    bad: makeTile(["missing"]),
    good: makeTile(["setup"]),
  },
} as const satisfies Record<string, SubjectRule<ButtonSubject>>;

function makeTwoTiles(one: string, two: string): string {
  const script: { widgets: Record<string, unknown>[] } = JSON.parse(makeTile([]));
  const [tile] = script.widgets;
  return JSON.stringify({ ...script, widgets: [one, two].map((id) => ({ ...tile, id })) }, null, 2);
}
