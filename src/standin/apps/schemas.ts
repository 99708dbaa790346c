import { existsSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import { toLocalPath } from "../files/paths.ts";
import { HostString, listValueFaults } from "../rpc/arguments.ts";
import { type ArgumentFault, ERRNO } from "../rpc/rpc-error.ts";
import { listStorageEntries } from "./values.ts";

const Port = z.object({
  bind_mode: z.enum(["published", "exposed", ""]).default("published"),
  port_number: z.int().min(1).max(65_535),
  host_ips: z.array(HostString).default([]),
});

const HostPath = z.object({
  type: z.enum(["host_path", "ix_volume"]),
  host_path_config: z.object({ acl_enable: z.boolean().default(false), path: HostString }).exactOptional(),
  ix_volume_config: z.object({ acl_enable: z.boolean().default(false), dataset_name: HostString }).exactOptional(),
});

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const Common = {
  TZ: HostString.refine(isTimeZone, "Invalid timezone").exactOptional(),
  network: z.object({ web_port: Port }),
  resources: z
    .object({
      limits: z.object({ cpus: z.int().min(1), memory: z.int().min(1) }).exactOptional(),
      gpus: z.object({ use_all_gpus: z.boolean() }).exactOptional(),
    })
    .exactOptional(),
};

const AdditionalStorage = z.array(HostPath.extend({ mount_path: HostString, read_only: z.boolean().default(false) }));

/**
 * `values` of the demo's apps, checked the way a catalog app's own schema is: wrong types and missing keys are refused,
 * unknown keys are not (docs/host-api.md, section 6). Other apps have no schema here and take anything.
 */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  "demo-notes": z.object({
    ...Common,
    notes: z.object({
      admin_user: HostString.min(1),
      admin_password: HostString.min(1),
      session_secret: HostString.min(16),
      public_url: HostString.exactOptional(),
    }),
    storage: z.object({ data: HostPath, additional_storage: AdditionalStorage.default([]) }),
  }),
  "demo-media": z.object({
    ...Common,
    media: z.object({ api_key: HostString.min(16), notes_link: HostString.exactOptional() }),
    storage: z.object({ config: HostPath, additional_storage: AdditionalStorage.default([]) }),
  }),
};

/** Finds what the host refuses of an app's `values` before it starts: the schema, then its host paths. */
export function checkValues(catalogApp: string, values: JsonObject, dir: string): readonly ArgumentFault[] {
  const schema = Object.hasOwn(SCHEMAS, catalogApp) ? SCHEMAS[catalogApp] : undefined;
  const checked = schema?.safeParse(values, { reportInput: true });
  const faults = checked === undefined || checked.success ? [] : listValueFaults(checked.error);
  return [...faults, ...listStorageEntries(values).flatMap((entry) => checkHostPathEntry(entry, dir))];
}

function checkHostPathEntry(entry: ReturnType<typeof listStorageEntries>[number], dir: string): ArgumentFault[] {
  const { hostPath, field } = entry;
  if (hostPath === undefined) return [];
  const path = posix.normalize(hostPath);
  if (!/^\/mnt\/[^/.][^/]*/.test(path)) {
    return [[field, `Value error, Path ${path} is not allowed`, ERRNO.EINVAL]];
  }
  const local = toLocalPath(dir, path);
  if (!existsSync(local)) return [[field, "Value error, Path does not exist", ERRNO.EINVAL]];
  return entry.acl !== undefined && !entry.acl.force && readdirSync(local).length > 0
    ? [[field, "Value error, Path is not empty, set force to apply the ACL anyway", ERRNO.EINVAL]]
    : [];
}
