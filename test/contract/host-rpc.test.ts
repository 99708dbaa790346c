import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HOST_METHODS, nameOnWire } from "../../src/adapters/host-rpc/host-calls.ts";
import { DockerState } from "../../src/standin/host-state.ts";
import { STANDIN_LOCATIONS } from "../../src/standin/locations.ts";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { createStandinHost } from "../../src/standin/standin.ts";
import {
  ACCOUNTS,
  describeFullHost,
  JELLYFIN_QUESTIONS,
  offerJellyfin,
  REFUSED_VALUES,
} from "../support/host/full-contract.ts";
import { openClient } from "../support/host/host-client.ts";

for (const generation of GENERATIONS) {
  const called = new Set<string>();
  describeFullHost(`the client, on the stand-in of ${generation} over a real socket`, async () => {
    const dir = mkdtempSync(join(tmpdir(), "slipway-host-"));
    const standin = await createStandinHost({
      dir,
      generation,
      speed: 20,
      limits: { ratePerWindow: 10_000 },
      scansSnapshots: false,
      schemas: [{ app: "jellyfin", train: "community", version: "1.3.12", questions: JELLYFIN_QUESTIONS }],
      onCall: ({ method }) => called.add(method),
    });
    const { url, username, apiKey } = standin;
    const host = openClient(url, { username, apiKey, locations: STANDIN_LOCATIONS, localRoot: dir });
    const dataset = "tank/ApplicationsPerformance";
    return {
      host,
      dataset,
      ...{ folder: `/mnt/${dataset}`, forbidden: "/etc/slipway", madeAcltype: "NFSV4", accounts: ACCOUNTS },
      ...{ app: offerJellyfin("1.3.12"), older: "1.3.11", refused: REFUSED_VALUES },
      restart: async () => standin.control.restartService(),
      setAppsService: async (status) => standin.control.setDocker(DockerState.parse(status)),
      stopShares: async () => {
        Object.assign(standin.control.state(), { smbRunning: false, smbEnabled: false });
      },
      stop: async () => {
        await host.close();
        await standin.close();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  });

  test(`the parts of the contract make the calls of the adapter on ${generation}`, () => {
    const calls = HOST_METHODS.flatMap((method) => nameOnWire(method, generation) ?? []);
    // The one is asked if a host has no `system.host_id`; the other ends what 25.04 can't begin, since it renames no dataset.
    const spared = ["system.global.id", ...(generation === "25.04" ? ["pool.dataset.promote"] : [])];
    expect(calls.filter((name) => !called.has(name)).toSorted()).toEqual(spared.toSorted());
  });
}
