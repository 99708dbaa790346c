/** The values of the generic app, by which the host runs a custom app: one container image. */
import type { Json, JsonObject } from "../json/json.ts";
import { parseQuestions } from "./parse-questions.ts";
import type { AppSchema } from "./question.ts";

/** The app of the host's catalog as which it runs custom apps. */
export const GENERIC_APP = "ix-app";

/** Train, name and version of the generic app in the host's catalog; later versions have added questions only. */
const GENERIC = { train: "stable", app: GENERIC_APP, version: "1.4.4" } as const;

const REQUIRED = { required: true };
const EMPTY_LIST = { default: [] };
const PORT = { min: 1, max: 65_535, ...REQUIRED };

function ask(variable: string, type: string, rest: JsonObject = {}): Json {
  return { variable, schema: { type, ...rest } };
}

function group(variable: string, attrs: readonly Json[], rest: JsonObject = {}): Json {
  return ask(variable, "dict", { ...rest, attrs });
}

function list(variable: string, item: Json, rest: JsonObject = {}): Json {
  return ask(variable, "list", { ...rest, items: [item] });
}

function choose(variable: string, fallback: string, choices: readonly string[], rest: JsonObject = {}): Json {
  return ask(variable, "string", { default: fallback, enum: choices, ...rest });
}

function onlyIf(key: string, value: Json): JsonObject {
  return { show_if: [[key, "=", value]] };
}

const text = (variable: string) => ask(variable, "string", REQUIRED);
const flag = (variable: string, fallback = false, rest: JsonObject = {}) =>
  ask(variable, "boolean", { default: fallback, ...rest });

const IMAGE = group("image", [
  text("repository"),
  ask("tag", "string", { default: "latest" }),
  choose("pull_policy", "missing", ["missing", "always", "never"], REQUIRED),
]);

const PORTS = list(
  "ports",
  group("port", [
    choose("bind_mode", "published", ["published", "exposed"]),
    ask("port_number", "int", PORT),
    ask("container_port", "int", PORT),
    choose("protocol", "tcp", ["tcp", "udp"], REQUIRED),
    list("host_ips", ask("host_ip", "string", { ...REQUIRED, $ref: ["definitions/node_bind_ip"] }), {
      ...EMPTY_LIST,
      ...onlyIf("bind_mode", "published"),
    }),
  ]),
  { ...EMPTY_LIST, ...onlyIf("host_network", false) },
);

const NETWORKS = list(
  "networks",
  group("network", [
    ask("name", "string", { default: "", ...REQUIRED }),
    group("config", [
      list("aliases", ask("alias", "string"), EMPTY_LIST),
      ...["interface_name", "mac_address", "ipv4_address", "ipv6_address"].map((key) => ask(key, "string")),
      ...["gw_priority", "priority"].map((key) => ask(key, "int", { null: true })),
    ]),
  ]),
  { ...EMPTY_LIST, ...onlyIf("host_network", false) },
);

const PORTALS = list(
  "portals",
  group("portal", [
    ask("name", "string", { default: "Web UI", ...REQUIRED }),
    choose("scheme", "http", ["http", "https"], REQUIRED),
    flag("use_node_ip", true, REQUIRED),
    ask("host", "string", { default: "", ...REQUIRED, ...onlyIf("use_node_ip", false) }),
    ask("port", "int", { default: 15_000, ...REQUIRED }),
    ask("path", "string", { default: "/", ...REQUIRED }),
  ]),
);

const ACL = { $ref: ["normalize/acl"] };

const STORAGE = list(
  "storage",
  group("storageEntry", [
    choose("type", "ix_volume", ["host_path", "ix_volume", "cifs", "nfs", "tmpfs"], REQUIRED),
    flag("read_only"),
    ask("mount_path", "path", REQUIRED),
    group(
      "host_path_config",
      [
        flag("acl_enable"),
        group("acl", [], { ...ACL, ...onlyIf("acl_enable", true) }),
        ask("path", "hostpath", { ...REQUIRED, ...onlyIf("acl_enable", false) }),
      ],
      onlyIf("type", "host_path"),
    ),
    group(
      "ix_volume_config",
      [
        flag("acl_enable"),
        ask("dataset_name", "string", { default: "storage_entry", ...REQUIRED }),
        group("acl_entries", [], { ...ACL, ...onlyIf("acl_enable", true) }),
      ],
      { $ref: ["normalize/ix_volume"], ...onlyIf("type", "ix_volume") },
    ),
    group(
      "cifs_config",
      [...["server", "path", "username", "password"].map(text), ask("domain", "string")],
      onlyIf("type", "cifs"),
    ),
    group("nfs_config", ["server", "path"].map(text), onlyIf("type", "nfs")),
    group("tmpfs_config", [ask("size", "int", { default: 500, ...REQUIRED })], onlyIf("type", "tmpfs")),
  ]),
  EMPTY_LIST,
);

const RESOURCES = group("resources", [
  flag("enable_resource_limits"),
  group(
    "limits",
    [ask("cpus", "int", { default: 2, ...REQUIRED }), ask("memory", "int", { default: 4_096, ...REQUIRED })],
    onlyIf("enable_resource_limits", true),
  ),
  group("gpus", [], { $ref: ["definitions/gpu_configuration"] }),
]);

/** The questions as a catalog writes them. */
const GENERIC_QUESTIONS: readonly Json[] = [
  ask("notes", "text"),
  IMAGE,
  ask("hostname", "string", { default: "" }),
  list("entrypoint", text("entrypoint_item"), EMPTY_LIST),
  list("command", text("command_item"), EMPTY_LIST),
  ask("TZ", "string", { default: "Etc/UTC", ...REQUIRED, $ref: ["definitions/timezone"] }),
  list("envs", group("env", [text("name"), ask("value", "string")]), EMPTY_LIST),
  choose("restart_policy", "no", ["no", "unless-stopped", "on-failure", "always"], REQUIRED),
  ask("max_retry_count", "int", { default: 0, ...REQUIRED, ...onlyIf("restart_policy", "on-failure") }),
  flag("disable_builtin_healthcheck"),
  flag("tty"),
  flag("stdin"),
  list("devices", group("device", [text("host_device"), text("container_device")]), EMPTY_LIST),
  flag("privileged"),
  group("capabilities", [list("add", text("capability"))]),
  flag("run_as_custom_user"),
  group(
    "run_as",
    ["user", "group"].map((key) => ask(key, "int", { default: 568, ...REQUIRED })),
    onlyIf("run_as_custom_user", true),
  ),
  flag("host_network"),
  PORTS,
  NETWORKS,
  group("dns_config", [
    list("nameservers", text("nameserver")),
    list("searches", text("search")),
    list("options", text("option")),
  ]),
  PORTALS,
  STORAGE,
  list("labels", group("label", [text("key"), text("value")]), EMPTY_LIST),
  RESOURCES,
];

/** The schema of the generic app. */
export const GENERIC_SCHEMA: AppSchema = { ...GENERIC, questions: parseQuestions(GENERIC_QUESTIONS).questions };

/** The keys at the top of its values. */
export const GENERIC_KEYS: ReadonlySet<string> = new Set(GENERIC_SCHEMA.questions.map(({ key }) => key));
