/**
 * What the engine notes of an app before a task changes it, so that it can be rolled back: its version, its values,
 * its answers and generated secrets, and the snapshots taken. Holds secrets, as answers do.
 */
import { z } from "zod";
import { type Json, type JsonObject, toJsonObject } from "../../core/json/json.ts";
import type { Store } from "../ports/store.ts";
import { AnyObject } from "../stored-script-schema.ts";
import { CHOICES } from "./kept-choices.ts";

type Settings = Pick<Store, "setting" | "keepSettings">;

/** The settings of an app that hold its points, and the datasets rollbacks have put aside. */
export const [POINTS, ASIDE] = ["restorePoints", "setAside"] as const;

/** How many are kept for an app. */
const KEPT = 5;

const PURPOSES = ["pre-upgrade", "pre-update", "pre-rollback"] as const;

const PointSnapshot = z.object({ dataset: z.string(), name: z.string(), paths: z.array(z.string()).readonly() });

const RestorePoint = z.object({
  /** Of the task that took it. */
  id: z.string(),
  purpose: z.enum(PURPOSES),
  /** UTC ms. */
  at: z.number(),
  /** Of the host's package. */
  version: z.string(),
  /** As people see them: of a custom app its `metadata.version`s; null where nobody knows, or the version stayed. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The app's configuration on the host. */
  values: AnyObject,
  /** What the engine keeps of the app, by setting. */
  choices: AnyObject,
  snapshots: z.array(PointSnapshot).readonly(),
});
export type RestorePoint = Readonly<z.infer<typeof RestorePoint>>;

/** A snapshot of a point: of `dataset` as it was named then. */
export type PointSnapshot = RestorePoint["snapshots"][number];

/** Reads an app's points, the newest first; what can't be read is left out. */
export function readRestorePoints(store: Pick<Store, "setting">, appId: string): readonly RestorePoint[] {
  const kept = store.setting(appId, POINTS);
  const points = Array.isArray(kept) ? kept.flatMap((point: Json) => RestorePoint.safeParse(point).data ?? []) : [];
  return points.toSorted((a, b) => b.at - a.at);
}

/** Whether an app has points, without reading them: lists ask it of many apps. */
export function hasRestorePoints(store: Pick<Store, "setting">, appId: string): boolean {
  const kept = store.setting(appId, POINTS);
  return Array.isArray(kept) && kept.length > 0;
}

/** Keeps a point in place of the one its task has noted before; the oldest go. */
export function keepRestorePoint(store: Settings, appId: string, point: RestorePoint): void {
  const others = readRestorePoints(store, appId).filter(({ id }) => id !== point.id);
  store.keepSettings(appId, toJsonObject({ [POINTS]: [point, ...others].slice(0, KEPT) }));
}

/** What the engine keeps of an app now, as a point notes it. */
export function readChoices(store: Pick<Store, "setting">, appId: string): JsonObject {
  return Object.fromEntries(CHOICES.map((name) => [name, store.setting(appId, name)]));
}

/** The datasets rollbacks of an app have put aside, by the dataset that took the place of each; the newest first. */
export function readSetAside(
  store: Pick<Store, "setting">,
  appId: string,
): Readonly<Record<string, readonly string[]>> {
  return SetAside.safeParse(store.setting(appId, ASIDE)).data ?? {};
}

/** Notes that a dataset is put aside for one that takes its place. */
export function keepSetAside(store: Settings, appId: string, dataset: string, aside: string): void {
  const kept = readSetAside(store, appId);
  const names = [...new Set([aside, ...(kept[dataset] ?? [])])];
  store.keepSettings(appId, { [ASIDE]: { ...kept, [dataset]: names } });
}

/** Takes the note back of a dataset that was not put aside after all. */
export function forgetSetAside(store: Settings, appId: string, dataset: string, aside: string): void {
  const kept = readSetAside(store, appId);
  const names = (kept[dataset] ?? []).filter((name) => name !== aside);
  store.keepSettings(appId, { [ASIDE]: { ...kept, [dataset]: names } });
}

const SetAside = z.record(z.string(), z.array(z.string()));
