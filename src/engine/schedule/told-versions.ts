/** Which versions of an app people were told of, beyond the notifications that are kept. */
import { z } from "zod";
import type { Store } from "../ports/store.ts";

/** Name of the setting. */
export const TOLD = "toldVersions";
/** Newest that are known of an app. */
const KEPT = 20;

const Told = z.array(z.string());

/** The versions that were told. */
export function readTold(store: Pick<Store, "setting">, appId: string): readonly string[] {
  return Told.safeParse(store.setting(appId, TOLD)).data ?? [];
}

/** Notes that a version was told. */
export function keepTold(store: Pick<Store, "setting" | "keepSettings">, appId: string, version: string): void {
  store.keepSettings(appId, { [TOLD]: [...readTold(store, appId), version].slice(-KEPT) });
}
