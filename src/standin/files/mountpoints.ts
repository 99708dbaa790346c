import { mkdirSync, rmSync } from "node:fs";
import type { HostState } from "../host-state.ts";
import { toLocalPath, toMountpoint } from "./paths.ts";

/** Makes the directories at which the datasets are mounted. */
export function makeMountpoints(dir: string, state: HostState): void {
  for (const id of Object.keys(state.datasets)) {
    mkdirSync(toLocalPath(dir, toMountpoint(id)), { recursive: true });
  }
}

/** Removes them with all that lies in them. */
export function removeMountpoints(dir: string, state: HostState): void {
  for (const id of Object.keys(state.datasets)) {
    rmSync(toLocalPath(dir, toMountpoint(id)), { recursive: true, force: true });
  }
}
