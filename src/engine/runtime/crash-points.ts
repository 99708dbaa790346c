/**
 * Named places at the commit boundaries where a test can have the process die. `SLIPWAY_CRASH_AT=name` kills at the
 * first passing, `name:3` at the third, `count` only counts; without the variable a point is one comparison.
 */
export const CRASH_POINTS = [
  /** A turn is computed, nothing of it is on disk. */
  "beforeCommit",
  /** The turn is on disk, its effects are not started. */
  "afterCommit",
  /** A request that changes the host has left, its answer is not noted (passed by effect handlers). */
  "afterEffectSent",
  /** The outside has answered, the answer is not committed. */
  "afterEffectDone",
  /** A hook script is running and has reported something (passed by effect handlers). */
  "midHook",
  /** Entries of hook journals are gathered, none of them is on disk. */
  "beforeJournal",
  /** They are on disk, nobody was told. */
  "afterJournal",
  /** A script's request may leave: what led to it is on disk. */
  "beforeSend",
  /** It is on its way. */
  "afterSend",
  /** An outcome is about to enter the isolate. */
  "beforeDelivery",
  /** It is on its way into it. */
  "afterDelivery",
  /** During `recover`, before an effect of an earlier life is reconciled. */
  "beforeReconcile",
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

const armed = /^(\w+)(?::(\d+))?$/.exec(process.env["SLIPWAY_CRASH_AT"] ?? "");
let left = Number(armed?.[2] ?? 1);

/** How often each point was passed, where `SLIPWAY_CRASH_AT` is `count`; else empty. */
export const passings: Partial<Record<CrashPoint, number>> = {};

/** Kills this process with SIGKILL when the point is armed and was passed often enough; else does nothing. */
export function passCrashPoint(name: CrashPoint): void {
  if (armed === null) return;
  if (armed[1] === "count") passings[name] = (passings[name] ?? 0) + 1;
  if (armed[1] !== name) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}
