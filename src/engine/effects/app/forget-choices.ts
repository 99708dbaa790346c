import { noteDataRemoved } from "../../runtime/installations.ts";
import { CHOICES, INPUT_RANDOMS } from "../../vault/kept-choices.ts";
import { ASIDE, POINTS } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";

/** Settings of an app that fit its data: without it they are of no use to anybody. */
const FORGOTTEN = [...CHOICES, INPUT_RANDOMS, "offer", POINTS, ASIDE] as const;

/** Forgets what an app keeps between its tasks: the next install begins anew, with other secrets. */
export function forgetChoices(
  { store, clock }: Pick<EffectDeps, "store" | "clock">,
  appId: string,
  taskId: string,
): void {
  store.keepSettings(appId, Object.fromEntries(FORGOTTEN.map((name) => [name, null])));
  noteDataRemoved(store, appId, taskId, clock.now());
}
