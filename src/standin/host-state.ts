/** Everything the stand-in remembers: datasets, shares, owners, apps. */
import { z } from "zod";
import type { JsonObject } from "../core/json/json.ts";

const Values = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));

const Dataset = z.object({
  id: z.string(),
  acltype: z.enum(["NFSV4", "POSIX", "OFF"]),
  aclmode: z.enum(["PASSTHROUGH", "RESTRICTED", "DISCARD"]),
  casesensitivity: z.enum(["SENSITIVE", "INSENSITIVE"]),
  atime: z.enum(["ON", "OFF"]),
  readonly: z.boolean(),
  locked: z.boolean(),
  comments: z.string(),
  user_properties: z.record(z.string(), z.string()),
  /** Settings of its own, by their names in zfs. */
  settings: z.record(z.string(), z.string()).exactOptional(),
  /** The snapshot a clone comes from, `dataset@name`. */
  origin: z.string().exactOptional(),
});
/** A ZFS dataset as the stand-in keeps it; mounted at `/mnt/<id>`. */
export type DatasetRecord = z.infer<typeof Dataset>;

const Ownership = z.object({
  uid: z.number(),
  gid: z.number(),
  mode: z.number(),
  acl: z.array(Values).nullable(),
});
/** Owner, mode and ACL of one path: a model, never the real file's (no root rights needed). */
export type Ownership = z.infer<typeof Ownership>;

const Snapshot = z.object({
  dataset: z.string(),
  name: z.string(),
  properties: z.record(z.string(), z.string()),
  createtxg: z.number(),
  /** Bytes of the files in it. */
  bytes: z.number().default(0),
  /** By the path below the mountpoint. */
  ownership: z.record(z.string(), Ownership).default({}),
});
/** A dataset snapshot with its user properties. */
export type SnapshotRecord = z.infer<typeof Snapshot>;

const Share = z.object({
  id: z.number(),
  name: z.string(),
  path: z.string(),
  purpose: z.string(),
  comment: z.string(),
  enabled: z.boolean(),
  readonly: z.boolean(),
  browsable: z.boolean(),
  options: Values,
});
/** An SMB share. */
export type ShareRecord = z.infer<typeof Share>;

const Port = z.object({
  container_port: z.number(),
  host_port: z.number(),
  protocol: z.enum(["tcp", "udp"]),
});
/** A port an app binds on the host. */
export type PortRecord = z.infer<typeof Port>;

const Mount = z.object({ source: z.string(), destination: z.string(), type: z.enum(["bind", "volume"]) });
/** A host path or volume as a container sees it. */
export type MountRecord = z.infer<typeof Mount>;

const Container = z.object({
  id: z.string(),
  service_name: z.string(),
  image: z.string(),
  state: z.enum(["created", "starting", "running", "exited", "crashed"]),
  ports: z.array(Port),
  mounts: z.array(Mount),
});
/** One container of an app. */
export type ContainerRecord = z.infer<typeof Container>;

const App = z.object({
  name: z.string(),
  /** Catalog id; `custom-app` for compose apps. */
  catalogApp: z.string(),
  train: z.string(),
  custom: z.boolean(),
  version: z.string(),
  values: Values,
  containers: z.array(Container),
  /** Versions it can be rolled back to, oldest first. */
  formerVersions: z.array(z.string()),
  /** The values it had, by former version. */
  formerValues: z.record(z.string(), Values).default({}),
});
/** An installed app. Its state is computed from its containers (docs/host-api.md, section 5). */
export type AppRecord = z.infer<typeof App>;

const DOCKER_STATES = [
  "PENDING",
  "RUNNING",
  "INITIALIZING",
  "STOPPING",
  "STOPPED",
  "UNCONFIGURED",
  "FAILED",
  "MIGRATING",
  "MIGRATION_FAILED",
] as const;
/** States of the apps service, as `docker.status` names them. */
export const DockerState = z.enum(DOCKER_STATES);

const Demand = z.object({ version: z.string(), place: z.string() });

/** The state as its file has it. */
export const State = z.object({
  format: z.literal(1),
  username: z.string(),
  apiKey: z.string(),
  hostId: z.string(),
  globalId: z.string(),
  bootId: z.string(),
  docker: DockerState,
  smbRunning: z.boolean(),
  /** Whether a restart of the machine starts the SMB service. */
  smbEnabled: z.boolean(),
  datasets: z.record(z.string(), Dataset),
  snapshots: z.array(Snapshot),
  shares: z.array(Share),
  nextShareId: z.number(),
  nextTransaction: z.number(),
  /** By host path; paths not named belong to root with mode 755. */
  ownership: z.record(z.string(), Ownership),
  apps: z.record(z.string(), App),
  /** Catalog versions published after the start, oldest first, by catalog id. */
  releases: z.record(z.string(), z.array(z.string())),
  /** Required questions of single versions, by catalog id. */
  demands: z.record(z.string(), z.array(Demand)),
});
/** A value the schema of one version requires: `place` is its path, e.g. `network.web_port`. */
export type ValueDemand = z.infer<typeof Demand>;

/** Everything the stand-in remembers across restarts. Jobs are not among it: the real host forgets them too. */
export type HostState = z.infer<typeof State>;
