/** What is changed and by whom, from the call of a method to the row that keeps it. */
import type { AuditMethod } from "../api.ts";
import { type Actor, ENGINE } from "./actor.ts";

/** Somebody's call of a method that changes something. */
export interface Deed {
  readonly actor: Actor;
  readonly method: AuditMethod;
}

/** What the engine does of its own accord. */
export function createOwnDeed(method: AuditMethod): Deed {
  return { actor: ENGINE, method };
}
