/**
 * Every call of the host's API the engine makes, as data: its class, and how an answer that was lost is found out.
 *
 * Invariant 3 of docs/architecture.md: a `create` or `mutate` call is repeated only after its reconcile rule was asked in order and
 * every question was answered "no". The client takes the class to decide what it may repeat by itself; the engine's
 * effect handlers take both.
 */

import type { Host } from "../../engine/ports/host.ts";
import type { EffectClass } from "../../engine/runtime/effect.ts";
import type { Release } from "./versions.ts";

/**
 * One question to the host about a call whose answer was lost: the method of the port to ask, and what in its answer
 * means that the call has happened. `job` comes first where there is one: a job that is found is waited for.
 */
export type ReconcileQuestion =
  | { readonly ask: "findJob"; readonly happened: "found" }
  | { readonly ask: "app"; readonly happened: "exists" | "versionIsTarget" | "isNotStopped" | "isStopped" | "isGone" }
  | { readonly ask: "appConfig"; readonly happened: "holdsValues" }
  | { readonly ask: "dataset"; readonly happened: "exists" | "isNoClone" }
  | { readonly ask: "stat"; readonly happened: "exists" }
  | { readonly ask: "acl"; readonly happened: "isTarget" }
  | { readonly ask: "snapshots"; readonly happened: "holdsName" }
  | { readonly ask: "shares"; readonly happened: "holdsPath" };

/** A row of the table of host calls. */
export interface HostCall {
  readonly class: Exclude<EffectClass, "local">;
  /** The methods of the port that make this call. */
  readonly port: readonly (keyof Host)[];
  /** Section of docs/host-api.md. */
  readonly section: number;
  /** Asked in order. Present on every `create` and `mutate`. */
  readonly reconcile?: readonly ReconcileQuestion[];
  /** The method a release has instead; null if it has none. Every other release has the method under its name in the table. */
  readonly instead?: Readonly<Partial<Record<Release, string | null>>>;
}

const JOB = { ask: "findJob", happened: "found" } as const;

/** The table, by the host's method names. Methods stand under the names of release 25.10. */
export const HOST_CALLS = {
  "app.available": { class: "read", port: ["availableApp", "availableApps"], section: 4 },
  "app.config": { class: "read", port: ["appConfig"], section: 4 },
  "app.create": {
    class: "create",
    port: ["startJob"],
    section: 4,
    reconcile: [JOB, { ask: "app", happened: "exists" }],
  },
  "app.delete": {
    class: "mutate",
    port: ["startJob"],
    section: 4,
    reconcile: [JOB, { ask: "app", happened: "isGone" }],
  },
  "app.gpu_choices": { class: "read", port: ["facts"], section: 4 },
  "app.image.dockerhub_rate_limit": { class: "read", port: ["imageRegistry"], section: 4 },
  "app.query": { class: "read", port: ["apps", "app", "facts", "upgradeTarget", "appPorts"], section: 4 },
  "app.rollback": {
    class: "mutate",
    port: ["startJob"],
    section: 4,
    reconcile: [JOB, { ask: "app", happened: "versionIsTarget" }],
  },
  "app.rollback_versions": { class: "read", port: ["rollbackVersions"], section: 4 },
  "app.start": {
    class: "mutate",
    port: ["startJob"],
    section: 4,
    reconcile: [JOB, { ask: "app", happened: "isNotStopped" }],
  },
  "app.stop": {
    class: "mutate",
    port: ["startJob"],
    section: 4,
    reconcile: [JOB, { ask: "app", happened: "isStopped" }],
  },
  "app.update": {
    class: "mutate",
    port: ["startJob"],
    section: 4,
    reconcile: [JOB, { ask: "appConfig", happened: "holdsValues" }],
  },
  "app.upgrade": {
    class: "mutate",
    port: ["startJob"],
    section: 4,
    reconcile: [JOB, { ask: "app", happened: "versionIsTarget" }],
  },
  "app.upgrade_summary": { class: "read", port: ["upgradeTarget"], section: 4 },
  "app.used_ports": { class: "read", port: ["usedPorts"], section: 4 },
  "catalog.get_app_details": { class: "read", port: ["appQuestions"], section: 6 },
  "core.get_jobs": { class: "read", port: ["findJob", "waitJob"], section: 3 },
  "docker.status": { class: "read", port: ["appsService", "apps", "app"], section: 4 },
  "filesystem.getacl": { class: "read", port: ["acl"], section: 7 },
  "filesystem.mkdir": {
    class: "create",
    port: ["makeDirectory"],
    section: 7,
    reconcile: [{ ask: "stat", happened: "exists" }],
  },
  "filesystem.setacl": {
    class: "mutate",
    port: ["startJob"],
    section: 7,
    reconcile: [JOB, { ask: "acl", happened: "isTarget" }],
  },
  "filesystem.stat": { class: "read", port: ["stat", "app", "apps", "appQuestions"], section: 7 },
  "filesystem.statfs": { class: "read", port: ["datasetOf"], section: 7 },
  "group.get_group_obj": { class: "read", port: ["group"], section: 7 },
  "interface.ip_in_use": { class: "read", port: ["facts", "addresses", "appPorts"], section: 9 },
  "interface.websocket_local_ip": { class: "read", port: ["facts", "appPorts"], section: 9 },
  "pool.dataset.create": {
    class: "create",
    port: ["createDataset"],
    section: 8,
    reconcile: [{ ask: "stat", happened: "exists" }],
  },
  "pool.dataset.promote": {
    class: "mutate",
    port: ["promoteDataset"],
    section: 8,
    reconcile: [{ ask: "dataset", happened: "isNoClone" }],
  },
  "pool.dataset.query": { class: "read", port: ["dataset", "holdsDatasets"], section: 8 },
  "pool.dataset.rename": {
    class: "mutate",
    port: ["renameDataset"],
    section: 8,
    instead: { "25.04": null },
    reconcile: [{ ask: "dataset", happened: "exists" }],
  },
  "pool.dataset.update": { class: "idempotent", port: ["setDatasetAclMode"], section: 8 },
  "pool.snapshot.clone": {
    class: "create",
    port: ["cloneSnapshot"],
    section: 8,
    instead: { "25.04": "zfs.snapshot.clone" },
    reconcile: [{ ask: "dataset", happened: "exists" }],
  },
  "pool.snapshot.create": {
    class: "create",
    port: ["createSnapshot"],
    section: 8,
    instead: { "25.04": "zfs.snapshot.create" },
    reconcile: [{ ask: "snapshots", happened: "holdsName" }],
  },
  "pool.snapshot.delete": {
    class: "idempotent",
    port: ["deleteSnapshot"],
    section: 8,
    instead: { "25.04": "zfs.snapshot.delete" },
  },
  // From 26.0 on `pool.snapshot.query` has no metadata.
  "pool.snapshot.query": {
    class: "read",
    port: ["snapshotNames", "snapshots"],
    section: 8,
    instead: {
      "25.04": "zfs.snapshot.query",
      "26.0": "zfs.resource.snapshot.query",
      "27.0": "zfs.resource.snapshot.query",
    },
  },
  // A service that runs may be started again, and one that is enabled enabled again.
  "service.control": {
    class: "idempotent",
    port: ["startShares"],
    section: 8,
    instead: { "25.04": "service.start" },
  },
  "service.query": { class: "read", port: ["sharesService"], section: 8 },
  "service.update": { class: "idempotent", port: ["enableShares"], section: 8 },
  "sharing.smb.create": {
    class: "create",
    port: ["createShare"],
    section: 8,
    reconcile: [{ ask: "shares", happened: "holdsPath" }],
  },
  "sharing.smb.query": { class: "read", port: ["shares"], section: 8 },
  "system.general.config": { class: "read", port: ["apps", "app", "appPorts"], section: 9 },
  "system.global.id": { class: "read", port: ["facts"], section: 9 },
  "system.host_id": { class: "read", port: ["facts"], section: 9 },
  "system.info": { class: "read", port: ["facts"], section: 9 },
  "user.get_user_obj": { class: "read", port: ["user"], section: 7 },
} as const satisfies Record<string, HostCall>;

/** A method of the host's API the engine calls. */
export type HostMethod = keyof typeof HOST_CALLS;

/** What a session calls for itself, under the same name in every release. */
export const SESSION_CALLS = ["auth.login_ex", "core.ping", "core.set_options", "core.subscribe"] as const;
/** See the list. */
export type SessionMethod = (typeof SESSION_CALLS)[number];

/** The methods the engine calls, by their names in the table. */
export const HOST_METHODS = Object.keys(HOST_CALLS).filter((name): name is HostMethod => name in HOST_CALLS);

/** The name of a call on the wire of a release; null if the release has no such method. */
export function nameOnWire(method: HostMethod, release: Release): string | null {
  const { instead }: HostCall = HOST_CALLS[method];
  const other = instead?.[release];
  return other === undefined ? method : other;
}
