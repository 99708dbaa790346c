import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeHost } from "../../src/contract/host.ts";
import { DockerState } from "../../src/standin/host-state.ts";
import { STANDIN_LOCATIONS } from "../../src/standin/locations.ts";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { createStandinHost } from "../../src/standin/standin.ts";
import { openClient } from "../support/host/host-client.ts";

for (const generation of GENERATIONS)
  describeHost(
    { afterEach, beforeEach, describe, expect, test },
    `the client, on the stand-in of ${generation} over a real socket`,
    async () => {
      const dir = mkdtempSync(join(tmpdir(), "slipway-host-"));
      const standin = await createStandinHost({
        dir,
        generation,
        speed: 20,
        limits: { ratePerWindow: 10_000 },
        scansSnapshots: false,
      });
      const { url, username, apiKey } = standin;
      const host = openClient(url, { username, apiKey, locations: STANDIN_LOCATIONS, localRoot: dir });
      return {
        host,
        dataset: "tank/ApplicationsPerformance",
        jellyfin: { older: "1.3.11", newer: "1.3.12" },
        restart: async () => standin.control.restartService(),
        setAppsService: async (status) => standin.control.setDocker(DockerState.parse(status)),
        stopShares: async () => {
          standin.control.state().smbRunning = false;
        },
        stop: async () => {
          await host.close();
          await standin.close();
          rmSync(dir, { recursive: true, force: true });
        },
      };
    },
  );
