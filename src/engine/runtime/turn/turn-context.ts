/** What a turn reads, and the fault that ends one. */
import type { Store } from "../../ports/store.ts";
import type { Mask } from "../../vault/masking.ts";
import type { EffectHandler, RegisteredMachine } from "../effect.ts";

/** All a turn reads besides the row and the event: a turn is a function of these. */
export interface TurnContext {
  readonly registry: Readonly<Record<string, RegisteredMachine>>;
  readonly handlers: Readonly<Record<string, EffectHandler>>;
  readonly read: Pick<Store, "children" | "holder" | "openEffects" | "task" | "timers">;
  readonly epoch: number;
  /** UTC ms. */
  readonly now: number;
  readonly mask: Mask;
}

/** A fault of a machine or its registration: the task is quarantined. */
export class MachineFault extends Error {
  override readonly name = "MachineFault";
}

/** The machine a row runs on. Throws `MachineFault` where this build has none of that name. */
export function requireMachine(deps: Pick<TurnContext, "registry">, id: string): RegisteredMachine {
  const registered = deps.registry[id];
  if (registered === undefined) throw new MachineFault(`this build has no machine "${id}"`);
  return registered;
}
