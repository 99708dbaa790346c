import type { Json } from "../../core/json/json.ts";
import type { NewApp } from "./new-app.ts";

/** Where the editor finds the schema, from a script on; hidden, so that no catalog takes it for a script. */
export const SCHEMA_FILE = ".slipway/script.schema.json";

/** The install script of a new app. */
export function buildAppScript(app: NewApp): Json {
  const { appId, port, locations } = app;
  const own = locations.find((location) => location.startsWith("Applications"));
  const config = own === undefined ? null : `$LOCATION(${own})/${appId}/config`;
  const shared = locations.filter((location) => location !== own);
  return {
    $schema: `./${SCHEMA_FILE}`,
    version: 6,
    script: { version: "1.0.0", changeLog: "First version" },
    requirements: { locations: [...locations], specifications: ["1CORE", "500MB"], ports: [port] },
    ...(config !== null && {
      ensure_directories_exists: [{ path: config, owner: { user: "apps" }, snapshot: { id: "config" } }],
    }),
    app_values: {
      network: { web_port: { bind_mode: "published", port_number: port } },
      ...(locations.length > 0 && {
        storage: {
          ...(config !== null && { config: `$HOST_PATH(${config})` }),
          ...(shared.length > 0 && {
            additional_storage: shared.map((id) => `$MOUNTED_HOST_PATH($LOCATION(${id}), /${id.toLowerCase()})`),
          }),
        },
      }),
      resources: { limits: { cpus: 1, memory: "$MEMORY(10%, 512)" } },
    },
    ...(app.hook && { hooks: [buildHook(app)] }),
    ...(app.widget && { widgetsSchema: 2, widgets: [buildWidget(app)] }),
  };
}

function buildHook({ appId, name }: NewApp): Json {
  return {
    id: "set-up",
    title: `Set up ${name}`,
    kind: "maintain",
    events: ["onAfterInstall", "userAction"],
    rerun: "converge",
    script: `${appId}/set-up.ts`,
    entrypoint: "setUp",
    timeout: 300,
  };
}

function buildWidget({ appId, name, hook }: NewApp): Json {
  return {
    id: "overview",
    title: name,
    refresh: 60,
    conditions: [{ role: "availability", type: "appRunning", app: appId }],
    sizes: { small: { slots: [{ type: "stat", field: "items" }] } },
    ...(hook && { buttons: ["set-up"] }),
    script: `${appId}/overview.ts`,
    entrypoint: "overview",
  };
}
