/** What can be seen of a host: whatever an app could leave there, or take with it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostState } from "../../standin/host-state.ts";
import type { World } from "../world/worlds.ts";

/** Something on a host. */
export interface Trace {
  readonly kind: "folder" | "file" | "dataset" | "share" | "app";
  /** A host path; of a dataset where it is mounted, of a share what it shares, of an app its name. */
  readonly at: string;
  /** How it is, comparable. */
  readonly is: string;
}

/** Traces by kind and name. */
export type HostSight = ReadonlyMap<string, Trace>;

/** Looks at a host; snapshots are left out, as they are there to go back to. */
export function lookAtHost({ standin }: Pick<World, "standin">): HostSight {
  const state = standin.control.state();
  const datasets = Object.values(state.datasets).map((dataset): [string, Trace] => {
    const at = `/mnt/${dataset.id}`;
    return [`dataset ${at}`, { kind: "dataset", at, is: JSON.stringify(dataset) }];
  });
  const shares = state.shares.map(({ name, path, ...rest }): [string, Trace] => [
    `share ${name}`,
    { kind: "share", at: path, is: JSON.stringify(rest) },
  ]);
  const apps = Object.keys(state.apps).map((name): [string, Trace] => [
    `app ${name}`,
    { kind: "app", at: name, is: "" },
  ]);
  const paths = listPaths(standin.localPath("/mnt"), "/mnt", state);
  return new Map([...datasets, ...shares, ...apps, ...paths]);
}

/** Paths below a folder, with their owner and ACL; links are not followed. */
function listPaths(local: string, path: string, state: HostState): readonly [string, Trace][] {
  return readdirSync(local, { withFileTypes: true }).flatMap((entry): [string, Trace][] => {
    const at = `${path}/${entry.name}`;
    const owner = JSON.stringify(state.ownership[at] ?? null);
    const inner = join(local, entry.name);
    if (!entry.isDirectory()) {
      const content = entry.isFile() ? readFileSync(inner, "base64") : "";
      return [[`path ${at}`, { kind: "file", at, is: `${owner} ${content}` }]];
    }
    return [[`path ${at}`, { kind: "folder", at, is: owner }], ...listPaths(inner, at, state)];
  });
}

/** What is there that was not. */
export function findAdded(before: HostSight, after: HostSight): readonly Trace[] {
  return [...after].flatMap(([key, trace]) => (before.has(key) ? [] : [trace]));
}

/** What was there and is gone, or is another than it was. */
export function findChanged(before: HostSight, after: HostSight): readonly Trace[] {
  return [...before].flatMap(([key, trace]) => (after.get(key)?.is === trace.is ? [] : [trace]));
}
