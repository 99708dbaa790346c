/**
 * Types for the author of `<app>.check.ts` (docs/checking.md, "Scenarios"): `import type { Scenarios } from
 * "slipway/check-api"`, or from `./.slipway/check-api.d.ts`, which `slipway new` writes beside the scripts.
 */

/** What the file exports by default; it may be a function that returns it, or a promise. */
export interface Scenarios {
  /** For the editor of a file in JSON. */
  readonly $schema?: string;
  /** From 1 to 50. */
  readonly scenarios: readonly Scenario[];
}

/** One way to install the app, and what has to come of it. */
export interface Scenario {
  /** What it is about; stands in every finding. From 1 to 200 characters. */
  readonly name: string;
  /** The host it is installed on; by default the embedded host as it is. */
  readonly host?: "usual" | "large" | "small" | "nvidia";
  /** By question key; the others are those of level 3. */
  readonly answers?: ById<Json>;
  /** By hook id; the others are given. */
  readonly consents?: ById<boolean>;
  /** By hook id, then input id; the others are those of level 4. */
  readonly inputs?: ById<ById<Json>>;
  /** Rows in front of those of the app's fake, in the order they answer. */
  readonly fake?: readonly FakeAnswer[];
  /** What a person presses, each time one is asked; after them, Skip. */
  readonly presses?: readonly ("retry" | "skip")[];
  readonly expect?: Expected;
}

/** What has to come of a scenario. */
export interface Expected {
  /** Where the install comes to rest; by default `COMPLETED`. */
  readonly state?: State;
  /** Values of the app on the host; members that are not named may be anything, lists are whole. */
  readonly values?: ById<Json>;
  readonly requests?: readonly ExpectedRequest[];
  /** Where hooks come to rest, by hook id. */
  readonly hooks?: ById<State>;
  /** States of checkpoints, by hook id and checkpoint id. */
  readonly checkpoints?: ById<ById<State>>;
}

/** A request the app's scripts have to make, or must not. */
export interface ExpectedRequest {
  /** Default: any. */
  readonly method?: string;
  /** A path of the app or a whole address; a `*` at its end takes every longer one. */
  readonly path: string;
  /** How often; by default once or more. 0: never. */
  readonly times?: number;
}

/** What the app answers to which request. */
export interface FakeAnswer {
  /** Default: any. */
  readonly method?: string;
  /** A path of the app or a whole address; a `*` at its end takes every longer one. */
  readonly path: string;
  /** Default 200. */
  readonly status?: number;
  /** Several values stand each in a line of its own, as of `Set-Cookie`. */
  readonly headers?: ById<string | readonly string[]>;
  /** Text as it is, anything else as JSON; by default empty. */
  readonly body?: Json;
  /** Ms before the answer. */
  readonly delayMs?: number;
  /** How many requests it answers before the next row that fits takes over; by default all. */
  readonly times?: number;
}

/** Where a task may come to rest, or be. */
export type State =
  | "PENDING"
  | "RUNNING"
  | "AWAITING_INPUT"
  | "AWAITING_RETRY"
  | "COMPLETED"
  | "SKIPPED"
  | "FAILED"
  | "DISMISSED"
  | "CANCELLED";

/** A value as JSON has it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

interface ById<T> {
  readonly [id: string]: T;
}
