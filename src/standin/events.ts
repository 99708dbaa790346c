import type { Json, JsonObject } from "../core/json/json.ts";

/** One subscription of one session. */
interface Subscription {
  readonly id: string;
  /** The event name as subscribed, with its argument if it has one. */
  readonly name: string;
  readonly send: (notification: JsonObject) => void;
  /** Ends what feeds an argumented source. */
  readonly end?: () => void;
}

/** Who listens to which events (docs/host-api.md, section 2, notifications). */
export class EventHub {
  readonly #byId = new Map<string, Subscription>();

  add(subscription: Subscription): void {
    this.#byId.set(subscription.id, subscription);
  }

  /** Ends a subscription; unknown ids are ignored, as on the host. */
  remove(id: string): void {
    this.#byId.get(id)?.end?.();
    this.#byId.delete(id);
  }

  /** Sends a `collection_update` to everyone subscribed to the collection. `fields` is never sent on `removed`. */
  emit(
    msg: "added" | "changed" | "removed",
    collection: string,
    id: Json,
    fields?: JsonObject | readonly Json[],
  ): void {
    const params: JsonObject = {
      msg,
      collection,
      id,
      ...(fields !== undefined && msg !== "removed" && { fields }),
    };
    for (const subscription of this.#byId.values()) {
      if (subscription.name === collection) {
        subscription.send({ jsonrpc: "2.0", method: "collection_update", params });
      }
    }
  }
}
