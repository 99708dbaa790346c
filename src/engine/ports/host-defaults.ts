/** What stands in for the methods that a host of an embedder's own may leave out one by one. */
import { HostError } from "../host-error.ts";
import type { Host } from "./host.ts";

/** Methods the engine derives from others, or does without. */
export type OptionalMethod =
  | "appsService"
  | "app"
  | "availableApp"
  | "upgradeTarget"
  | "usedPorts"
  | "appPorts"
  | "addresses"
  | "localPath"
  | "close";

type Basis = Pick<Host, "facts" | "apps" | "availableApps">;

/** Derives the optional methods; those the host has itself are asked where one needs another. */
export function deriveOptional(host: Basis & Partial<Pick<Host, "app">>): Pick<Host, OptionalMethod> {
  const app = async (name: string) =>
    host.app === undefined ? ((await host.apps()).find((one) => one.name === name) ?? null) : host.app(name);
  const ports = async () => (await host.apps()).flatMap(({ publishedPorts }) => publishedPorts);
  return {
    appsService: async () => ({ status: "RUNNING", description: "" }),
    app,
    availableApp: async (id) => (await host.availableApps()).find(({ catalogApp }) => catalogApp === id) ?? null,
    async upgradeTarget(name) {
      if ((await app(name)) !== null) return null;
      throw new HostError(
        { code: "HOST_NOT_FOUND", reason: `the host has no app "${name}"`, fields: [], retryable: false },
        "yes",
      );
    },
    usedPorts: ports,
    appPorts: ports,
    addresses: async () => [(await host.facts()).lanIp],
    localPath: (path) => path,
    close: async () => {},
  };
}
