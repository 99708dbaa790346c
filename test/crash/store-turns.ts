import { makeTask, turn } from "../../src/contract/store-rows.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import type { TurnRows } from "../../src/engine/ports/turn-rows.ts";

/** A turn of task "t" that fills a page, by its number from 1. */
export function turnOf(store: Store, rev: number): TurnRows {
  return turn(store, makeTask("t", rev, { snapshot: JSON.stringify({ rev, filled: "x".repeat(4_000) }) }));
}
