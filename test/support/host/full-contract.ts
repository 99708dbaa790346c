import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  describeHost,
  describeHostClones,
  describeHostDatasets,
  describeHostOwners,
  describeHostShares,
  describeHostSnapshots,
  describeHostUpgrades,
  describeHostVersions,
  type HostUnderTest,
  type KnownAccounts,
} from "../../../src/contract/index.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";
import type { Host } from "../../../src/engine/ports/host.ts";

/** A host with every group of methods. */
type FullHost = HostUnderTest & {
  readonly host: Host;
  readonly dataset: string;
  readonly older: string;
  readonly madeAcltype: string;
  readonly accounts: KnownAccounts;
  stopShares(): Promise<void>;
};

/** Declares every part of the contract. */
export function describeFullHost(name: string, open: () => Promise<FullHost>): void {
  const hooks = { afterEach, beforeEach, describe, expect, test };
  describeHost(hooks, name, open);
  describeHostUpgrades(hooks, name, open);
  describeHostVersions(hooks, name, open);
  describeHostDatasets(hooks, name, open);
  describeHostSnapshots(hooks, name, open);
  describeHostClones(hooks, name, open);
  describeHostShares(hooks, name, open);
  describeHostOwners(hooks, name, open);
}

/** Jellyfin as the suite installs it; its values have the shape most catalog apps share (docs/host-api.md, section 6). */
export function offerJellyfin(newest: string): HostUnderTest["app"] {
  return {
    ...{ id: "jellyfin", train: "community", newest, ports: [18_096, 18_097] },
    ...{ section: { TZ: "Etc/UTC" }, containerPath: "/config", folderField: "storage.config.host_path_config.path" },
    values: (port, folder): JsonObject => ({
      network: { web_port: { bind_mode: "published", port_number: port, host_ips: [] } },
      ...(folder !== null && {
        storage: { config: { type: "host_path", host_path_config: { acl_enable: false, path: folder } } },
      }),
    }),
  };
}

/** The accounts every host has that runs apps. */
export const ACCOUNTS: KnownAccounts = {
  user: { name: "apps", uid: 568, gid: 568 },
  group: "docker",
  acl: { acltype: "NFS4", refusesOther: true },
};
