/** The consent toggles of an install, and what stands behind them (docs/install-scripts.md, "The install dialog"). */
import type { Hook } from "../script/dictionary.ts";

/** Toggles a person has touched, by hook id. */
export type Consents = Readonly<Record<string, boolean>>;

/** Whether the user agrees to a hook with `userOptional`: as touched, else its default. */
export function hasConsent(hook: Hook, consents: Consents): boolean {
  const touched = Object.hasOwn(consents, hook.id) ? consents[hook.id] : undefined;
  return touched ?? hook.userOptional?.default ?? true;
}

const indexes = new WeakMap<readonly Hook[], ReadonlyMap<string, Hook>>();

function indexHooks(hooks: readonly Hook[]): ReadonlyMap<string, Hook> {
  const known = indexes.get(hooks) ?? new Map(hooks.map((hook) => [hook.id, hook]));
  indexes.set(hooks, known);
  return known;
}

/** The consent hooks a hook stands behind: those it requires and those they require, each once, the nearest first. */
export function listGates({ id, requiresHooks }: Hook, hooks: readonly Hook[]): readonly Hook[] {
  const met = new Set([id]);
  const byId = indexHooks(hooks);
  const gates: Hook[] = [];
  const waiting = [...requiresHooks];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const required = met.has(next) ? undefined : byId.get(next);
    met.add(next);
    if (required === undefined) continue;
    if (required.userOptional !== undefined) gates.push(required);
    waiting.push(...required.requiresHooks);
  }
  return gates;
}

/** The gates whose toggle is off: with any, the hook does not run. */
export function listClosedGates(hook: Hook, hooks: readonly Hook[], consents: Consents): readonly Hook[] {
  return listGates(hook, hooks).filter((gate) => !hasConsent(gate, consents));
}
