/** The vault's entries and the masks made from them. */
import { listForeignApps } from "../../core/hooks/surfaces.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import { listTexts } from "../../core/json/list-texts.ts";
import { createMask } from "../../core/report/mask.ts";
import type { Store } from "../ports/store.ts";
import { StoredPlanSchema } from "../stored-plan-schema.ts";

/** Name of a hook task's collected input in the vault of its root. */
export function toInputName(taskId: string, inputId: string): string {
  return `input:${taskId}:${inputId}`;
}

/** The values a hook task has collected, by input id: those it declares, and those carried over. */
export function readCollectedInputs(
  store: Pick<Store, "secrets">,
  rootId: string,
  taskId: string,
): Record<string, Json> {
  const own = toInputName(taskId, "");
  const collected: Record<string, Json> = {};
  for (const [name, entry] of Object.entries(store.secrets(rootId))) {
    const value = name.startsWith(own) ? readVaultValue(entry) : undefined;
    if (value !== undefined && value !== null) collected[name.slice(own.length)] = value;
  }
  return collected;
}

/** Name of an input given with the request, before its task exists. */
export function toGivenName(appId: string, hookId: string, inputId: string): string {
  return `given:${appId}:${hookId}:${inputId}`;
}

/** A vault entry; only secret ones are masked: the name of a library is no secret. */
export function toVaultEntry(value: Json, secret: boolean): JsonObject {
  return { value, secret };
}

/** The value of a vault entry; undefined where there is none. */
export function readVaultValue(entry: Json): Json | undefined {
  return isJsonObject(entry) ? entry["value"] : undefined;
}

/** The texts of a vault entry that have to be masked. */
export function listSecretTexts(entry: Json): readonly string[] {
  return isJsonObject(entry) && entry["secret"] === true ? listTexts(entry["value"] ?? null) : [];
}

export interface Masks {
  /** Masks the secrets of one task tree in a text. */
  of(rootId: string): (text: string) => string;
  /** Every secret text of one task tree. */
  secrets(rootId: string): readonly string[];
  /** The vault of the tree has changed. */
  forget(rootId: string): void;
}

/** Lists the secrets that are kept of an app. */
export type ListSecrets = (appId: string) => readonly string[];

/**
 * Masks made from the plan, the vault, and what is kept of the apps a tree is about: a script reads their secrets from the
 * apps themselves. No plan holds a copy of those: they are forgotten with their app. Kept until the vault changes, of the
 * trees used last.
 */
export function createMasks(store: Pick<Store, "plan" | "secrets">, secretsOf: ListSecrets = () => []): Masks {
  return new KeptMasks(store, secretsOf);
}

/** Trees whose masks are kept: each takes some hundred kilobytes, with the most secrets a script may have 10 MB. */
const KEPT = 64;

interface TreeSecrets {
  readonly secrets: readonly string[];
  readonly mask: (text: string) => string;
}

class KeptMasks implements Masks {
  readonly #store: Pick<Store, "plan" | "secrets">;
  readonly #secretsOf: ListSecrets;
  readonly #byRoot = new Map<string, TreeSecrets>();

  constructor(store: Pick<Store, "plan" | "secrets">, secretsOf: ListSecrets) {
    this.#store = store;
    this.#secretsOf = secretsOf;
  }

  of(rootId: string): (text: string) => string {
    return this.#read(rootId).mask;
  }

  secrets(rootId: string): readonly string[] {
    return this.#read(rootId).secrets;
  }

  forget(rootId: string): void {
    this.#byRoot.delete(rootId);
  }

  #read(rootId: string): TreeSecrets {
    const known = this.#byRoot.get(rootId);
    if (known !== undefined) {
      this.#keep(rootId, known);
      return known;
    }
    const plan = this.#store.plan(rootId);
    const planned = plan?.["secrets"];
    const texts = [
      ...(Array.isArray(planned) ? listTexts(planned) : []),
      ...listApps(plan).flatMap(this.#secretsOf),
      ...Object.values(this.#store.secrets(rootId)).flatMap(listSecretTexts),
    ];
    const secrets = [...new Set(texts)].filter((text) => text !== "");
    const fresh = { secrets, mask: createMask(secrets) };
    // A task that is just being started has no rows yet: what is read then must not be kept.
    if (planned !== undefined) this.#keep(rootId, fresh);
    return fresh;
  }

  /** As the one used last; the one used longest ago goes. */
  #keep(rootId: string, tree: TreeSecrets): void {
    this.#byRoot.delete(rootId);
    this.#byRoot.set(rootId, tree);
    if (this.#byRoot.size <= KEPT) return;
    for (const oldest of this.#byRoot.keys().take(1)) this.#byRoot.delete(oldest);
  }
}

/** The apps of a plan, those its hooks run on, and those these are connected with. */
function listApps(plan: JsonObject | null): readonly string[] {
  const parsed = StoredPlanSchema.safeParse(plan);
  if (!parsed.success) return [];
  const { apps, hooks } = parsed.data;
  const ofHooks = Object.values(hooks).flatMap(({ appId, hook }) => [
    appId,
    ...listForeignApps(appId, hook.conditions),
  ]);
  return [...new Set([...Object.keys(apps), ...ofHooks])];
}
