import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

for (const generation of GENERATIONS)
  describeFullHost(`the client, on the stand-in of ${generation} over a real socket`, async () => {
    const dir = mkdtempSync(join(tmpdir(), "slipway-host-"));
    const standin = await createStandinHost({
      dir,
      generation,
      speed: 20,
      limits: { ratePerWindow: 10_000 },
      scansSnapshots: false,
      schemas: [{ app: "jellyfin", train: "community", version: "1.3.12", questions: JELLYFIN_QUESTIONS }],
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
