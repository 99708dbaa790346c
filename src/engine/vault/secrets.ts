/** The vault's entries and the masks made from them. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import { listTexts } from "../../core/json/list-texts.ts";
import { createMask } from "../../core/report/mask.ts";
import type { Store } from "../ports/store.ts";

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

export interface Masks {
  /** Masks the secrets of one task tree in a text. */
  of(rootId: string): (text: string) => string;
  /** Every secret text of one task tree. */
  secrets(rootId: string): readonly string[];
  /** The vault of the tree has changed. */
  forget(rootId: string): void;
}

/** Masks made from the plan and the vault, kept until the vault changes. */
export function createMasks(store: Pick<Store, "plan" | "secrets">): Masks {
  return new KeptMasks(store);
}

interface TreeSecrets {
  readonly secrets: readonly string[];
  readonly mask: (text: string) => string;
}

class KeptMasks implements Masks {
  readonly #store: Pick<Store, "plan" | "secrets">;
  readonly #byRoot = new Map<string, TreeSecrets>();

  constructor(store: Pick<Store, "plan" | "secrets">) {
    this.#store = store;
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
    if (known !== undefined) return known;
    const planned = this.#store.plan(rootId)?.["secrets"];
    const texts = [
      ...(Array.isArray(planned) ? listTexts(planned) : []),
      ...Object.values(this.#store.secrets(rootId)).flatMap((entry) =>
        isJsonObject(entry) && entry["secret"] === true ? listTexts(entry["value"] ?? null) : [],
      ),
    ];
    const secrets = [...new Set(texts)].filter((text) => text !== "");
    const fresh = { secrets, mask: createMask(secrets) };
    // A task that is just being started has no rows yet: what is read then must not be kept.
    if (planned !== undefined) this.#byRoot.set(rootId, fresh);
    return fresh;
  }
}
