/** The questions of the demo's apps, as a catalog writes them. Other apps have none here and take anything. */
import type { Json, JsonObject } from "../../core/json/json.ts";

const REQUIRED = { required: true };

function ask(variable: string, type: string, rest: JsonObject = {}): Json {
  return { variable, schema: { type, ...rest } };
}

function group(variable: string, attrs: readonly Json[], rest: JsonObject = {}): Json {
  return ask(variable, "dict", { ...rest, attrs });
}

const TIME_ZONE = ask("TZ", "string", { default: "Etc/UTC", ...REQUIRED, $ref: ["definitions/timezone"] });

const NETWORK = group("network", [
  group("web_port", [
    ask("bind_mode", "string", { default: "published", enum: ["published", "exposed", ""] }),
    ask("port_number", "int", { min: 1, max: 65_535, ...REQUIRED }),
    ask("host_ips", "list", {
      default: [],
      show_if: [["bind_mode", "=", "published"]],
      items: [ask("host_ip", "string", { ...REQUIRED, $ref: ["definitions/node_bind_ip"] })],
    }),
  ]),
]);

const RESOURCES = group("resources", [
  group("limits", [ask("cpus", "int", { min: 1, default: 2 }), ask("memory", "int", { min: 1, default: 4_096 })]),
  group("gpus", [], { $ref: ["definitions/gpu_configuration"] }),
]);

const PLACE = [
  ask("type", "string", { ...REQUIRED, default: "ix_volume", enum: ["host_path", "ix_volume"] }),
  group(
    "host_path_config",
    [
      ask("acl_enable", "boolean", { default: false }),
      group("acl", [], { $ref: ["normalize/acl"], show_if: [["acl_enable", "=", true]] }),
      ask("path", "hostpath", { ...REQUIRED, show_if: [["acl_enable", "=", false]] }),
    ],
    { show_if: [["type", "=", "host_path"]] },
  ),
  group(
    "ix_volume_config",
    [ask("acl_enable", "boolean", { default: false }), ask("dataset_name", "string", { ...REQUIRED, default: "data" })],
    { $ref: ["normalize/ix_volume"], show_if: [["type", "=", "ix_volume"]] },
  ),
];

function storage(key: string): Json {
  const entry = [ask("mount_path", "path", REQUIRED), ask("read_only", "boolean", { default: false }), ...PLACE];
  const additional = ask("additional_storage", "list", { default: [], items: [group("entry", entry)] });
  return group("storage", [group(key, PLACE), additional]);
}

const secret = (variable: string, minLength: number) =>
  ask(variable, "string", { ...REQUIRED, private: true, min_length: minLength });

/** By catalog id. */
export const DEMO_QUESTIONS: ReadonlyMap<string, readonly Json[]> = new Map([
  [
    "demo-notes",
    [
      TIME_ZONE,
      group("notes", [
        ask("admin_user", "string", { ...REQUIRED, min_length: 1 }),
        secret("admin_password", 1),
        secret("session_secret", 16),
        ask("public_url", "string"),
      ]),
      NETWORK,
      storage("data"),
      RESOURCES,
    ],
  ],
  [
    "demo-media",
    [
      TIME_ZONE,
      group("media", [secret("api_key", 16), ask("notes_link", "string")]),
      NETWORK,
      storage("config"),
      RESOURCES,
    ],
  ],
]);
