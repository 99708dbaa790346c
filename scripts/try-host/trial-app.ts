/** The app of the trial, the names it takes on the host, and its install script. */
import { posix } from "node:path";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import type { TryOptions } from "./options.ts";

/** A small static web page of the host's community catalog; few boxes have it already. */
export const APP = "homer";
/** The folder of the location everything lies in. */
const FOLDER = "slipway-try";
/** The share, and the folder it is of. */
export const SHARE = "slipway-try-share";
/** The question whose answer is changed. */
export const ANSWER = { key: "mark", first: "first", second: "second" } as const;

/** Host paths of the trial. */
export interface TrialPaths {
  /** Made as a dataset; holds everything else. */
  readonly top: string;
  /** A dataset of its own, owned by `apps`, with snapshots. */
  readonly data: string;
  /** A plain folder, shared. */
  readonly share: string;
}

/** The paths below a location. */
export function listPaths({ path }: TryOptions["location"]): TrialPaths {
  const top = posix.join(path, FOLDER);
  return { top, data: posix.join(top, "assets"), share: posix.join(top, SHARE) };
}

/** The install script for a location and a free port. */
export function buildScript(location: string, port: number): JsonObject {
  const top = `$LOCATION(${location})/${FOLDER}`;
  return {
    version: 5,
    script: { version: "1.0.0" },
    requirements: { locations: [location], specifications: [], permissions: ["READ_WRITE_LOCATIONS"], ports: [port] },
    installation_questions: [
      { question: "Mark", type: "text", key: ANSWER.key, default: ANSWER.first },
      { question: "Secret", type: "password", key: "secret", default: "$RANDOM_STRING(24)" },
    ],
    ensure_directories_exists: [
      { path: `${top}/assets`, owner: { user: "apps" }, snapshot: { id: "assets" } },
      { path: `${top}/${SHARE}`, network_share: true },
    ],
    app_values: buildValues({
      mark: `$QUESTION(${ANSWER.key})`,
      secret: "$QUESTION(secret)",
      assets: `$HOST_PATH(${top}/assets)`,
      port,
    }),
  };
}

/** The app's values: in a script with macros, for the host's own call without. */
export function buildValues(parts: { mark: string; secret: string; assets: Json; port: number }): JsonObject {
  return {
    homer: {
      init_assets: true,
      additional_envs: [
        { name: "SLIPWAY_MARK", value: parts.mark },
        { name: "SLIPWAY_SECRET", value: parts.secret },
      ],
    },
    run_as: { user: 568, group: 568 },
    network: { web_port: { bind_mode: "published", port_number: parts.port } },
    storage: { assets: parts.assets, additional_storage: [] },
    resources: { limits: { cpus: 1, memory: 512 } },
  };
}

/** A folder of the host as values name it. */
export function toHostPath(path: string): JsonObject {
  return { type: "host_path", host_path_config: { acl_enable: false, path } };
}
