/** Ownership of one path: its owner, and the ACL the owner needs (docs/host-api.md, section 7). */

import { HostError } from "../../host-error.ts";
import type { Host } from "../../ports/host.ts";
import type { AclEntries } from "../../ports/host-acl.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { ensureJob, type JobWork } from "../app/host-job.ts";
import { toFurtherSlot } from "../app/job-slot.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { APPS_ACL, completeAcl, grantsApps, grantsOwner } from "./access.ts";
import { createBlockedError, type Declared, requireDeclared } from "./declared-path.ts";

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
  run<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(job);
    this.#last = mine.then(
      () => {},
      () => {},
    );
    return mine;
  }
}

/**
 * Gives a declared path its owner by a job that waits its turn in the queue. The entries of its ACL are kept; owner and
 * group get the rights they lack. Resolves with the type of the ACL; rejects with a `HostError`.
 */
export function setOwner(
  deps: EffectDeps,
  queue: OwnershipQueue,
  run: EffectRun,
  { path, real, locations }: OwnedPath,
  owner: Owner,
): Promise<AclEntries["acltype"]> {
  const { host } = deps;
  return queue.run(async () => {
    const present = await retryWhileUnreachable(deps, run, () => host.acl(real));
    if (present === null) throw createBlockedError(`"${path}" does not exist on the host`);
    if (present.acltype === "DISABLED") {
      const reason = `"${path}" cannot be given an owner: ACLs are off on its dataset`;
      throw new HostError({ code: "HOST_ACL_UNSUPPORTED", reason, fields: [], retryable: false }, "yes");
    }
    const { acltype } = present;
    await runAclJob(deps, run, { path, locations }, `setacl ${path}`, {
      call: { method: "setOwner", path: real, ...owner, acl: completeAcl(present) },
      happened: async () => {
        const now = await host.acl(real);
        return now?.uid === owner.uid && now.gid === owner.gid && now.acltype === acltype && grantsOwner(now);
      },
    });
    return acltype;
  });
}

/** Gives a new dataset the ACL the host gives those made for apps, as `setOwner` gives an owner; nothing if it has it. */
export function grantApps(
  deps: EffectDeps,
  queue: OwnershipQueue,
  run: EffectRun,
  { path, real, locations }: OwnedPath,
): Promise<void> {
  const { host } = deps;
  return queue.run(async () => {
    const present = await retryWhileUnreachable(deps, run, () => host.acl(real));
    if (present === null || present.acltype !== "NFS4" || grantsApps(present)) return;
    const { uid, gid } = present;
    await runAclJob(deps, run, { path, locations }, `grant ${path}`, {
      call: { method: "setOwner", path: real, uid, gid, acl: APPS_ACL },
      happened: async () => {
        const now = await host.acl(real);
        return now !== null && grantsApps(now);
      },
    });
  });
}

/** A declared path that was just looked at. */
interface OwnedPath extends Pick<Declared, "real"> {
  readonly path: string;
  readonly locations: StoredApp["locations"];
}

async function runAclJob(
  deps: EffectDeps,
  run: EffectRun,
  { path, locations }: Omit<OwnedPath, "real">,
  purpose: string,
  work: Omit<JobWork, "ready">,
): Promise<void> {
  const look = () => requireDeclared(deps.host, path, locations);
  run.signal.throwIfAborted();
  const end = await ensureJob(deps, toFurtherSlot(run, purpose), { ...work, ready: look });
  // Fails also if the path was replaced between the look and the change.
  if (end.ok) return void (await retryWhileUnreachable(deps, run, look));
  const { code, message, context, retryable } = end.failure;
  const fields = context.map(({ label, value }) => ({ field: label, message: value }));
  throw new HostError({ code, reason: message, fields, retryable }, "yes");
}

function createUnknownAccountError(reason: string): HostError {
  return new HostError({ code: "HOST_OWNER_UNKNOWN", reason, fields: [], retryable: true }, "yes");
}
