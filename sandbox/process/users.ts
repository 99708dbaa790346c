/**
 * Users of the processes that run what nobody trusts: one each, so that none may signal, trace or read another.
 *
 * Invariants:
 * 1. A user is claimed by one process at a time, and given back when nothing runs under it any more.
 * 2. The range belongs to this process alone (of those that see the same process ids): what had been running under one
 *    of its users before, a dead engine's child for a moment yet, keeps that user from being claimed.
 */
import { killUser, listLiveUsers } from "./sweep.ts";

const COUNT = 60;
/**
 * Beyond the ids systemd gives to containers, and with room below those it gives away above for every process id Linux
 * knows (4,194,304): no two living engines share a range.
 */
const FIRST = 1_879_048_192 + process.pid * COUNT;

let next = 0;
/** Claimed by this process, or found running when it began. */
let taken: Set<number> | null = null;

/** Tells whether a user id belongs to this process's children. */
export function isChildUser(uid: number): boolean {
  return uid >= FIRST && uid < FIRST + COUNT;
}

/** A user nothing runs under. */
export function claimUser(): number {
  taken ??= new Set([...listLiveUsers()].filter(isChildUser));
  for (let tries = 0; tries < COUNT; tries++) {
    const uid = FIRST + (next++ % COUNT);
    if (taken.has(uid)) continue;
    taken.add(uid);
    return uid;
  }
  throw new Error(`all ${COUNT} users of children are in use`);
}

/** Kills everything that runs under a claimed user and gives it back. */
export async function releaseUser(uid: number): Promise<void> {
  await killUser(uid);
  taken?.delete(uid);
}
