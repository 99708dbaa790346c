import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  describeHost,
  describeHostClones,
  describeHostDatasets,
  describeHostOwners,
  describeHostQuestions,
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
  readonly refused: JsonObject;
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
  describeHostQuestions(hooks, name, open);
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

/** What jellyfin asks for the values of the suite. */
export const JELLYFIN_QUESTIONS = [
  { variable: "TZ", schema: { type: "string", default: "Etc/UTC", required: true, $ref: ["definitions/timezone"] } },
  {
    variable: "network",
    schema: {
      type: "dict",
      attrs: [
        {
          variable: "web_port",
          schema: {
            type: "dict",
            attrs: [
              { variable: "bind_mode", schema: { type: "string", enum: ["published", "exposed", ""] } },
              { variable: "port_number", schema: { type: "int", min: 1, max: 65_535, required: true } },
            ],
          },
        },
        { variable: "certificate_id", schema: { type: "int", null: true, $ref: ["definitions/certificate"] } },
      ],
    },
  },
] as const;

/** Refused by these questions. */
export const REFUSED_VALUES = {
  network: { web_port: { bind_mode: "published", port_number: 70_000 } },
} as const;

/** The accounts every host has that runs apps. */
export const ACCOUNTS: KnownAccounts = {
  user: { name: "apps", uid: 568, gid: 568 },
  group: "docker",
  acl: { acltype: "NFS4", refusesOther: true },
};
