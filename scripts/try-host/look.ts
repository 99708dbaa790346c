/** The look before a trial: whether the host can be tried, and whether every name is free. Changes nothing. */
import lt from "semver/functions/lt.js";
import rcompare from "semver/functions/rcompare.js";
import valid from "semver/functions/valid.js";
import { z } from "zod";
import type { JsonObject } from "../../src/core/json/json.ts";
import type { HostApi } from "./host-api.ts";
import type { TryOptions } from "./options.ts";
import { type Found, statPath } from "./trial.ts";
import { APP, listPaths, SHARE } from "./trial-app.ts";

/** Why the host is not tried; nothing was changed. */
export class Refused extends Error {}

/** The app's own port, and those tried after it. */
const PORTS = { from: 30_092, count: 100 };

const ROLES = [
  "APPS_WRITE",
  "FILESYSTEM_FULL_CONTROL",
  "DATASET_WRITE",
  "DATASET_DELETE",
  "SNAPSHOT_WRITE",
  "SNAPSHOT_DELETE",
  "SHARING_SMB_WRITE",
  "SERVICE_WRITE",
] as const;

/** Looks at everything the trial depends on. Throws `Refused` with what stands in its way. */
export async function lookAtHost(api: HostApi, options: TryOptions): Promise<Found> {
  const { status } = z.object({ status: z.string() }).parse(await api.call("docker.status"));
  if (status !== "RUNNING") throw new Refused(`the host's apps service is ${status}: choose a pool for apps first`);
  const dataset = await findLocation(api, options);
  await requireFreeNames(api, options);
  return { dataset, port: await findPort(api), ...(await findVersions(api)), smb: await readSmb(api) };
}

/** Roles the clean-up or a step needs and the account does not have; empty for a full administrator. */
export async function listMissingRoles(api: HostApi): Promise<readonly string[]> {
  const Account = z.object({ privilege: z.object({ roles: z.object({ $set: z.array(z.string()) }) }) });
  const account = Account.safeParse(await api.call("auth.me"));
  const roles = account.success ? account.data.privilege.roles.$set : [];
  return roles.includes("FULL_ADMIN") ? [] : ROLES.filter((role) => !roles.includes(role));
}

/** Only what lies in a dataset can be removed over the API, so the location must be one. */
async function findLocation(api: HostApi, { location: { path } }: TryOptions): Promise<string> {
  if ((await statPath(api, path)) === null) throw new Refused(`the host has no "${path}": make that dataset first`);
  const { source, dest } = z
    .object({ source: z.string(), dest: z.string() })
    .parse(await api.call("filesystem.statfs", path));
  if (dest !== path) throw new Refused(`"${path}" is no dataset of its own: name one with --location`);
  return source;
}

async function requireFreeNames(api: HostApi, { location }: TryOptions): Promise<void> {
  const apps = await api.rows("app.query");
  const Named = z.object({ metadata: z.object({ name: z.string() }) });
  const isApp = (app: JsonObject) => app["id"] === APP || Named.safeParse(app).data?.metadata.name === APP;
  if (apps.some(isApp))
    throw new Refused(`the app "${APP}" is installed on this host: the trial needs a host without it`);
  const { top } = listPaths(location);
  if ((await statPath(api, top)) !== null) {
    throw new Refused(`"${top}" is there: remove it if it is left from an earlier trial, or use another location`);
  }
  const shares = await api.rows("sharing.smb.query");
  if (shares.some(({ name }) => String(name).toLowerCase() === SHARE)) {
    throw new Refused(`the host has a share "${SHARE}": remove it if it is left from an earlier trial`);
  }
}

async function findPort(api: HostApi): Promise<number> {
  const used = new Set(z.array(z.int()).parse(await api.call("app.used_ports")));
  for (let port = PORTS.from; port < PORTS.from + PORTS.count; port += 1) if (!used.has(port)) return port;
  throw new Refused(`the host uses every port from ${PORTS.from} to ${PORTS.from + PORTS.count - 1}`);
}

async function findVersions(api: HostApi): Promise<Pick<Found, "train" | "newest" | "older">> {
  const [item] = await api.rows("app.available", [["name", "=", APP]]);
  if (item === undefined) throw new Refused(`the host's catalog has no app "${APP}": let it sync its catalog first`);
  const { train, latest_version: newest } = z.object({ train: z.string(), latest_version: z.string() }).parse(item);
  const Details = z.object({ versions: z.record(z.string(), z.unknown()) });
  const { versions } = Details.parse(await api.call("catalog.get_app_details", APP, { train }));
  const older = Object.keys(versions).filter((one) => valid(one) !== null && lt(one, newest));
  return { train, newest, older: older.toSorted(rcompare)[0] ?? null };
}

/** The SMB service: it is put back as it was. */
export async function readSmb(api: HostApi): Promise<JsonObject> {
  const [service] = await api.rows("service.query", [["service", "=", "cifs"]]);
  const { state, enable } = z.object({ state: z.string(), enable: z.boolean() }).parse(service);
  return { state, enable };
}
