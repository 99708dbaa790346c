import { noteDataRemoved } from "../../runtime/installations.ts";
import { INPUT_RANDOMS } from "../../vault/kept-choices.ts";
import type { EffectDeps } from "../deps.ts";

/** Settings of an app that fit its data: without it they are of no use to anybody. */
const FORGOTTEN = ["answers", "randoms", INPUT_RANDOMS, "offer", "scriptVersion", "metadataVersion"] as const;

/** Forgets what an app keeps between its tasks: the next install begins anew, with other secrets. */
export function forgetChoices(
  { store, clock }: Pick<EffectDeps, "store" | "clock">,
  appId: string,
  taskId: string,
): void {
  store.keepSettings(appId, Object.fromEntries(FORGOTTEN.map((name) => [name, null])));
  noteDataRemoved(store, appId, taskId, clock.now());
}
