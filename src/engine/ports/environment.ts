/** The small ports: time, randomness and logging, passed in so that the engine stays deterministic under test. */

export interface Clock {
  /** Wall clock, UTC ms. May step. */
  now(): number;
  /** Monotonic ms since an arbitrary start. Never steps. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
}

export interface Randomness {
  /** A new task id. */
  id(): string;
  /** `length` characters of `A-Za-z0-9` from a cryptographic source (docs/decisions.md, section 2.7). */
  alphanumeric(length: number): string;
}

/** Structured log; the engine masks secrets before it calls. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** News the embedder passes on to a person. */
export type Notification = PairingLinked | UpgradeAvailable;

interface News {
  /** The same one never has another: an embedder that is told twice can tell. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** An app was linked with another one (docs/decisions.md, section 7). */
export interface PairingLinked extends News {
  readonly type: "pairing.linked";
  readonly runsOnAppId: string;
  readonly hookId: string;
  /** The app that was linked. */
  readonly target: string;
  /** The link's task. */
  readonly taskId: string;
}

/** An app whose policy is `notify` can be upgraded; each version is told once. */
export interface UpgradeAvailable extends News {
  readonly type: "upgrade.available";
  readonly appId: string;
  /** The installed version; absent where nobody knows it. */
  readonly from?: string;
  readonly to: string;
}
