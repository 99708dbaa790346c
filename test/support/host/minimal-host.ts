import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AvailableApp, Code, HostApp, JsonObject, OwnHost } from "../../../src/index.ts";
import { createHostFolders, createHostJobs, HostError } from "../../../src/index.ts";

/** Runs each app as an HTTP server at the port its values name. */
export function createMinimalHost(folder: string, catalog: readonly AvailableApp[]): OwnHost {
  const installed = new Map<string, { readonly app: HostApp; readonly values: JsonObject; readonly server: Server }>();
  const apps = () => [...installed.values()].map(({ app }) => app);
  const need = (name: string) => installed.get(name) ?? refuse("HOST_NOT_FOUND", `no app "${name}"`);

  async function run(name: string, appId: string, values: JsonObject, state = "RUNNING") {
    const offer = catalog.find(({ catalogApp }) => catalogApp === appId);
    if (offer === undefined) return refuse("HOST_NOT_FOUND", `the catalog has no "${appId}"`);
    if (!existsSync(String(values["folder"]))) refuse("HOST_INVALID", `there is no folder "${values["folder"]}"`);
    installed.get(name)?.server.close();
    const server = createServer((_, answer) => answer.end("{}")).unref();
    const port = Number(values["port"]);
    if (state === "RUNNING") server.listen(port, "127.0.0.1");
    const shown = { name, appId, custom: false, state, version: offer.latestVersion, upgradeAvailable: false };
    const publishedPorts = state === "RUNNING" ? [port] : [];
    installed.set(name, { app: { ...shown, scheme: "http", port, publishedPorts, mounts: [] }, values, server });
  }

  return {
    ...createHostFolders(folder),
    ...createHostJobs({
      async createApp({ name, catalogApp, values }) {
        if (installed.has(name)) refuse("HOST_NAME_TAKEN", `"${name}" is taken`);
        await run(name, catalogApp, values);
      },
      async updateApp({ name, values }) {
        await run(name, need(name).app.appId, { ...need(name).values, ...values });
      },
      startApp: async ({ name }) => run(name, need(name).app.appId, need(name).values),
      stopApp: async ({ name }) => run(name, need(name).app.appId, need(name).values, "STOPPED"),
      async deleteApp({ name }) {
        need(name).server.close();
        installed.delete(name);
      },
    }),
    async facts() {
      const machine = { lanIp: "127.0.0.1", hostId: "minimal", memoryMb: 4096, cores: 2, gpus: [] };
      const shown = apps().map((app) => [app.appId, { ...app, ports: app.publishedPorts }]);
      return { ...machine, locations: { ApplicationsPerformance: folder }, apps: Object.fromEntries(shown) };
    },
    apps: async () => apps(),
    appConfig: async (name) => need(name).values,
    availableApps: async () => catalog,
  };
}

function refuse(code: Code, reason: string): never {
  throw new HostError({ code, reason, fields: [], retryable: false }, "yes");
}
