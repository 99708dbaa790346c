import { existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { dirname } from "node:path";
import type { HostApp, JobCall, JsonObject, OwnHost } from "../../../src/index.ts";
import { type AvailableApp, type Code, createHostJobs, HostError } from "../../../src/index.ts";

/** Runs each app as an HTTP server at the port its values name. */
export function createMinimalHost(folder: string, catalog: readonly AvailableApp[]): OwnHost {
  const installed = new Map<string, { readonly app: HostApp; readonly values: JsonObject; readonly server: Server }>();
  const apps = () => [...installed.values()].map(({ app }) => app);
  const ports = async () => apps().flatMap(({ publishedPorts }) => publishedPorts);
  const need = (name: string) => installed.get(name) ?? refuse("HOST_NOT_FOUND", `no app "${name}"`);
  const offer = (id: string) => catalog.find(({ catalogApp }) => catalogApp === id) ?? null;

  function run(name: string, appId: string, values: JsonObject, state = "RUNNING") {
    const { latestVersion: version } = offer(appId) ?? refuse("HOST_NOT_FOUND", `the catalog has no "${appId}"`);
    if (!existsSync(String(values["folder"]))) refuse("HOST_INVALID", `there is no folder "${values["folder"]}"`);
    installed.get(name)?.server.close();
    const server = createServer((_, answer) => answer.end("{}")).unref();
    const publishedPorts = state === "RUNNING" ? [Number(values["port"])] : [];
    for (const port of publishedPorts) server.listen(port, "127.0.0.1");
    const shown = { name, appId, custom: false, state, version, upgradeAvailable: false, scheme: "http" } as const;
    const app = { ...shown, port: Number(values["port"]), publishedPorts, mounts: [] };
    installed.set(name, { app, values, server });
  }
  async function work(call: JobCall) {
    if (call.method === "createApp")
      return installed.has(call.name)
        ? refuse("HOST_NAME_TAKEN", `"${call.name}" is taken`)
        : run(call.name, call.catalogApp, call.values);
    const { app, values, server } = need("name" in call ? call.name : call.method);
    if (call.method === "upgradeApp") refuse("HOST_UPGRADE_NONE", `"${app.name}" has one version`);
    if (call.method === "updateApp") return run(app.name, app.appId, { ...values, ...call.values });
    if (call.method === "startApp") return run(app.name, app.appId, values);
    if (call.method === "stopApp") return run(app.name, app.appId, values, "STOPPED");
    server.close();
    installed.delete(app.name);
  }
  return {
    ...createHostJobs(work),
    async facts() {
      const machine = { lanIp: "127.0.0.1", hostId: "minimal", memoryMb: 4096, cores: 2, gpus: [] };
      const shown = apps().map((app) => [app.appId, { ...app, ports: app.publishedPorts }]);
      return { ...machine, locations: { ApplicationsPerformance: folder }, apps: Object.fromEntries(shown) };
    },
    appsService: async () => ({ status: "RUNNING", description: "" }),
    apps: async () => apps(),
    app: async (name) => installed.get(name)?.app ?? null,
    appConfig: async (name) => need(name).values,
    availableApp: async (id) => offer(id),
    availableApps: async () => catalog,
    upgradeTarget: async (name) => need(name) && null,
    usedPorts: ports,
    appPorts: ports,
    addresses: async () => ["127.0.0.1"],
    localPath: (path) => path,
    async stat(path) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) return null;
      return { type: found.isDirectory() ? "DIRECTORY" : "FILE", uid: found.uid, gid: found.gid };
    },
    async datasetOf(path) {
      if (!existsSync(path)) refuse("HOST_NOT_FOUND", `nothing is at "${path}"`);
      return { dataset: "apps", mountpoint: folder, availableBytes: statfsSync(path).bavail * statfsSync(path).bsize };
    },
    async makeDirectory(path) {
      if (existsSync(path)) refuse("HOST_EXISTS", `"${path}" exists`);
      if (!existsSync(dirname(path))) refuse("HOST_NOT_FOUND", `nothing is at "${dirname(path)}"`);
      mkdirSync(path);
    },
    close: async () => {},
  };
}

function refuse(code: Code, reason: string): never {
  throw new HostError({ code, reason, fields: [], retryable: false }, "yes");
}
