/** Scripts of apps that are played, as they stand in a catalog. */
import { rawHook, rawScript } from "../scripts/scripts.ts";

/** An app that publishes a port and sees a folder. */
export function rawApp(changes: Record<string, unknown>): Record<string, unknown> {
  return rawScript({
    requirements: { locations: ["Media"], ports: [30111] },
    ensure_directories_exists: [{ path: "$LOCATION(Media)/app" }],
    app_values: {
      network: { web_port: { bind_mode: "published", port_number: 30111 } },
      storage: ["$MOUNTED_HOST_PATH($LOCATION(Media)/app, /media)"],
    },
    ...changes,
  });
}

/** A hook that runs after the install. */
export function rawInstallHook(scriptContent: string, changes: object = {}) {
  return rawHook({ events: ["onAfterInstall"], rerun: undefined, scriptContent, ...changes });
}

/** What an app is changed by so that it listens on a port: a number, or a macro that gives one. */
export const onPort = (port: unknown) => ({
  app_values: { network: { web_port: { bind_mode: "published", port_number: port } } },
});
