import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { judgeValues } from "../../core/app-values/judge-values.ts";
import { isRefusal } from "../../core/app-values/value-fault.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import { type HostFiles, resolvePath } from "../files/paths.ts";
import type { AppRecord, ValueDemand } from "../host-state.ts";
import { type ArgumentFault, ERRNO } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import { listStorageEntries } from "./values.ts";

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What the host makes of an app's values before it starts: what it refuses, and what it keeps. */
export interface CheckedValues {
  readonly faults: readonly ArgumentFault[];
  readonly values: JsonObject;
}

/**
 * Holds values against the questions of the app's version, then looks at its host paths (docs/host-api.md, section 6).
 * Unknown keys are kept without a word; an app without questions takes anything. `before`: what an update changes.
 */
export function checkValues(
  { certificates, dir, questions, state }: HostFiles & Pick<World, "certificates" | "questions">,
  app: Pick<AppRecord, "catalogApp" | "train" | "version">,
  sent: JsonObject,
  before?: JsonObject,
): CheckedValues {
  const found = questions.find(app);
  const context = { certificates, ...(before !== undefined && { before }) };
  const { values, faults } =
    found === null ? { values: sent, faults: [] } : judgeValues(found.questions, sent, context);
  const refused = faults.filter(isRefusal).map(({ path, reason }): ArgumentFault => {
    return [path.join("."), reason, ERRNO.EINVAL];
  });
  return { values, faults: [...refused, ...checkTimeZone(values), ...checkHostPaths(values, { dir, state })] };
}

function checkTimeZone({ TZ: zone }: JsonObject): readonly ArgumentFault[] {
  return typeof zone !== "string" || isTimeZone(zone) ? [] : [["TZ", "Value error, Invalid timezone", ERRNO.EINVAL]];
}

function checkHostPaths(values: JsonObject, files: HostFiles): readonly ArgumentFault[] {
  return listStorageEntries(values).flatMap((entry) => checkHostPathEntry(entry, files));
}

/** What the schema of a version asks for and these values lack. */
export function listMissingValues(
  values: JsonObject,
  demands: readonly ValueDemand[],
  version: string,
): readonly ArgumentFault[] {
  return demands
    .filter((demand) => demand.version === version && !hasValue(values, demand.place.split(".")))
    .map(({ place }): ArgumentFault => [place, "Field required", ERRNO.EINVAL]);
}

function hasValue(values: Json | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return values !== undefined;
  return isJsonObject(values) && hasValue(values[key], rest);
}

function checkHostPathEntry(entry: ReturnType<typeof listStorageEntries>[number], files: HostFiles): ArgumentFault[] {
  const { hostPath, field } = entry;
  if (hostPath === undefined) return [];
  const path = posix.normalize(hostPath);
  if (!/^\/mnt\/[^/.][^/]*/.test(path)) {
    return [[field, `Value error, Path ${path} is not allowed`, ERRNO.EINVAL]];
  }
  const { local } = resolvePath(files, path);
  if (local === null) return [[field, "Value error, Path does not exist", ERRNO.EINVAL]];
  return entry.acl !== undefined && !entry.acl.force && readdirSync(local).length > 0
    ? [[field, "Value error, Path is not empty, set force to apply the ACL anyway", ERRNO.EINVAL]]
    : [];
}
