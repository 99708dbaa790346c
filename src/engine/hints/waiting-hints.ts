/** Hints that wait to be told, each thing once. */
import type { CatalogHint, EngineHint } from "../api.ts";

/** By what they are about. */
export type WaitingHints = Map<string, EngineHint>;

/** Hints that wait at most. */
export const HINT_LIMIT = 256;
/** Most apps a hint of the catalog names of each kind. */
const NAMED_APPS = 100;

/** Adds a hint; one about the same thing takes the place of the earlier one, or says both. */
export function addHint(waiting: WaitingHints, hint: EngineHint): void {
  if (waiting.has("hints.lost")) return;
  const key = nameSubject(hint);
  const before = waiting.get(key);
  if (before === undefined && waiting.size >= HINT_LIMIT) {
    waiting.clear();
    waiting.set("hints.lost", { type: "hints.lost" });
    return;
  }
  const isOfCatalog = hint.type === "catalog.changed" && before?.type === "catalog.changed";
  waiting.set(key, isOfCatalog ? joinCatalogHints(before, hint) : hint);
}

/** A hint that names so many apps as it may. */
export function createCatalogHint(changes: Pick<CatalogHint, "added" | "changed" | "removed">): CatalogHint {
  const { added, changed, removed } = changes;
  const whole = [added, changed, removed].every(({ length }) => length <= NAMED_APPS);
  const name = (ids: readonly string[]) => ids.slice(0, NAMED_APPS);
  return { type: "catalog.changed", added: name(added), changed: name(changed), removed: name(removed), whole };
}

function joinCatalogHints(before: CatalogHint, after: CatalogHint): CatalogHint {
  const join = (kind: "added" | "changed" | "removed") => [...new Set([...before[kind], ...after[kind]])];
  const joined = createCatalogHint({ added: join("added"), changed: join("changed"), removed: join("removed") });
  return { ...joined, whole: joined.whole && before.whole && after.whole };
}

function nameSubject(hint: EngineHint): string {
  switch (hint.type) {
    case "app.changed":
      return `${hint.type} ${hint.appId}`;
    case "widget.changed":
      return `${hint.type} ${hint.appId}/${hint.widgetId}`;
    case "notification.added":
    case "notification.read":
      return `${hint.type} ${hint.id ?? ""}`;
    case "catalog.changed":
    case "dashboard.changed":
    case "drift.changed":
    case "health.changed":
    case "hints.lost":
      return hint.type;
  }
}
