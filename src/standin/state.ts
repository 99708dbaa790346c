import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "../core/codes/problems.ts";
import { writeFileAtomic } from "./atomic-file.ts";
import { type DatasetRecord, type HostState, State } from "./host-state.ts";
import { STANDIN_LOCATIONS, STANDIN_OPTIONAL_LOCATIONS } from "./locations.ts";

/** The state of one directory and its file. */
export interface StateFile {
  readonly state: HostState;
  /** Makes the present state durable; returns when it is on disk. */
  commit(): void;
  /** Forgets everything but the identity (key, host id), as on a new machine. */
  reset(): void;
}

/**
 * Opens `DIR/state.json`, creating it on first use.
 *
 * Throws `HOST_STANDIN_STATE` when the file is not the stand-in's.
 */
export function openState(dir: string, identity: { username: string; apiKey?: string; seedHex: string }): StateFile {
  const file = join(dir, "state.json");
  mkdirSync(dir, { recursive: true });
  const createFreshState = (): HostState => createState(identity);
  const state = withoutPrototypes(existsSync(file) ? readState(file) : createFreshState());
  const commit = (): void => writeFileAtomic(file, JSON.stringify(state));
  if (identity.apiKey !== undefined) state.apiKey = identity.apiKey;
  state.username = identity.username;
  commit();
  return {
    state,
    commit,
    reset: () => {
      const { apiKey, hostId, globalId, bootId } = state;
      Object.assign(state, withoutPrototypes(createFreshState()), { apiKey, hostId, globalId, bootId });
      commit();
    },
  };
}

/** Names come from callers: an app called "constructor" is found only when it is there. */
function withoutPrototypes(state: HostState): HostState {
  return {
    ...state,
    datasets: stripPrototype(state.datasets),
    ownership: stripPrototype(state.ownership),
    apps: stripPrototype(state.apps),
    releases: stripPrototype(state.releases),
    demands: stripPrototype(state.demands),
  };
}

function stripPrototype<V>(record: Readonly<Record<string, V>>): Record<string, V> {
  return Object.assign(Object.create(null), record);
}

function readState(file: string): HostState {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new EngineError("HOST_STANDIN_STATE", `"${file}" is not JSON`, { file }, error);
  }
  const parsed = State.safeParse(document);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new EngineError("HOST_STANDIN_STATE", `"${file}" is not a stand-in's state, see "${at}"`, { file });
}

function createState(identity: { username: string; apiKey?: string; seedHex: string }): HostState {
  const datasets: Record<string, DatasetRecord> = {};
  const add = (id: string, acltype: DatasetRecord["acltype"]): void => {
    datasets[id] = {
      id,
      acltype,
      aclmode: acltype === "NFSV4" ? "PASSTHROUGH" : "DISCARD",
      casesensitivity: "SENSITIVE",
      atime: "ON",
      readonly: false,
      locked: false,
      comments: "",
      user_properties: {},
    };
  };
  add("tank", "NFSV4");
  add("tank/posix", "POSIX");
  for (const path of Object.values({ ...STANDIN_LOCATIONS, ...STANDIN_OPTIONAL_LOCATIONS })) {
    add(path.slice("/mnt/".length), "NFSV4");
  }
  return {
    format: 1,
    username: identity.username,
    apiKey: identity.apiKey ?? `1-${randomBytes(32).toString("hex")}`,
    hostId: identity.seedHex.slice(0, 64).padEnd(64, "0"),
    globalId: identity.seedHex.slice(0, 32).padEnd(32, "0"),
    bootId: "",
    docker: "RUNNING",
    smbRunning: true,
    smbEnabled: true,
    datasets,
    snapshots: [],
    shares: [],
    nextShareId: 1,
    nextTransaction: 1000,
    ownership: {},
    apps: {},
    releases: {},
    demands: {},
  };
}
