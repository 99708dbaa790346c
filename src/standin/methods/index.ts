import type { Method } from "../rpc/method.ts";
import { type HostGeneration, isSince } from "../settings.ts";
import { ACCOUNT_METHODS } from "./accounts.ts";
import { ACL_METHODS } from "./acl.ts";
import { APP_CHANGE_METHODS } from "./apps-change.ts";
import { APP_READ_METHODS } from "./apps-read.ts";
import { BULK_METHODS } from "./bulk.ts";
import { CATALOG_METHODS } from "./catalog.ts";
import { CLONE_METHODS } from "./clone-datasets.ts";
import { DATASET_METHODS } from "./datasets.ts";
import { DELETE_METHODS } from "./deletes.ts";
import { FILESYSTEM_METHODS } from "./filesystem.ts";
import { SERVICE_METHODS } from "./services.ts";
import { SESSION_METHODS } from "./session.ts";
import { SHARE_METHODS } from "./shares.ts";
import { SNAPSHOT_METHODS } from "./snapshots.ts";
import { SYSTEM_METHODS } from "./system.ts";

const METHODS: readonly Method[] = [
  ...SESSION_METHODS,
  ...BULK_METHODS,
  ...SYSTEM_METHODS,
  ...ACCOUNT_METHODS,
  ...SERVICE_METHODS,
  ...APP_READ_METHODS,
  ...CATALOG_METHODS,
  ...APP_CHANGE_METHODS,
  ...FILESYSTEM_METHODS,
  ...ACL_METHODS,
  ...DATASET_METHODS,
  ...SNAPSHOT_METHODS,
  ...CLONE_METHODS,
  ...DELETE_METHODS,
  ...SHARE_METHODS,
];

/** The API of one host generation, by method name. */
export function collectMethods(generation: HostGeneration): ReadonlyMap<string, Method> {
  const present = METHODS.filter(
    ({ since, before }) =>
      (since === undefined || isSince(generation, since)) && (before === undefined || !isSince(generation, before)),
  );
  return new Map(present.map((method) => [method.name, method]));
}
