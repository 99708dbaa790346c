/** Ownership of one path: who it should belong to, and the ACL that makes it so (docs/host-api.md, section 7). */

import { HostError } from "../../host-error.ts";
import type { Host } from "../../ports/host.ts";
import type { JobCall } from "../../ports/host-records.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { ensureJob } from "../app/host-job.ts";
import { toFurtherSlot } from "../app/job-slot.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { type Declared, findDeclared, findHolder } from "./declared-path.ts";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The numeric owner of a declaration; without a group the user's own (docs/install-scripts.md, "DirectoryEntry"). */
export async function resolveOwner(
  { host }: { readonly host: Pick<Host, "user" | "group"> },
  owner: { readonly user: string; readonly group?: string },
): Promise<Owner> {
  const user = await host.user(owner.user);
  if (user === null) throw createUnknownAccountError(`the user "${owner.user}" does not exist on the host`);
  if (owner.group === undefined) return user;
  const group = await host.group(owner.group);
  if (group === null) throw createUnknownAccountError(`the group "${owner.group}" does not exist on the host`);
  return { uid: user.uid, gid: group.gid };
}

/**
 * The ownership jobs of one host, one at a time, whatever task asks: the host has one lock for all of them and silently
 * drops what queues up behind it (docs/host-api.md, section 3).
 */
export class OwnershipQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs a job once those before it have ended, however they ended; settles as the job does. */
  run(job: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(job);
    this.#last = mine.catch(() => {});
    return mine;
  }
}

/**
 * Gives a declared path its owner, by a job of its own id that waits its turn in the queue. Rejects with a `HostError`,
 * its fields those of the job.
 */
export function setOwner(
  deps: EffectDeps,
  queue: OwnershipQueue,
  run: EffectRun,
  path: string,
  owner: Owner,
  { acltype, locations }: { readonly acltype: "NFS4" | "POSIX1E"; readonly locations: StoredApp["locations"] },
): Promise<void> {
  const { host } = deps;
  const findReady = () => findDeclared(host, path, locations);
  const call: JobCall = { method: "setOwner", path, ...owner, acltype };
  const hasHappened = async () => {
    const found = await host.stat(path);
    return found?.uid === owner.uid && found.gid === owner.gid;
  };
  return queue.run(async () => {
    run.signal.throwIfAborted();
    const end = await ensureJob(deps, toFurtherSlot(run, `setacl ${path}`), {
      call,
      ready: findReady,
      happened: hasHappened,
    });
    // Told also where the path was replaced between the look and the change.
    if (end.ok) return void (await retryWhileUnreachable(deps, run, findReady));
    const { code, message, context, retryable } = end.failure;
    const fields = context.map(({ label, value }) => ({ field: label, message: value }));
    throw new HostError({ code, reason: message, fields, retryable }, "yes");
  });
}

/** The ACL type to send for a declared path that was just looked at: as its dataset has it. */
export async function findAclType(
  { host }: Pick<EffectDeps, "host">,
  path: string,
  declared: Declared,
): Promise<{ readonly dataset: string; readonly acltype: "NFS4" | "POSIX1E"; readonly aclmode: string }> {
  const { dataset } = await findHolder(host, path, declared);
  const found = await host.dataset(dataset);
  const acltype = found?.acltype === "NFSV4" ? "NFS4" : "POSIX1E";
  return { dataset, acltype, aclmode: found?.aclmode ?? "" };
}

function createUnknownAccountError(reason: string): HostError {
  return new HostError({ code: "HOST_OWNER_UNKNOWN", reason, fields: [], retryable: true }, "yes");
}
