import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeHost } from "../../src/contract/host.ts";
import { createScriptedHost } from "../support/host/scripted-host.ts";

describeHost({ afterEach, beforeEach, describe, expect, test }, "the scripted host of the engine's tests", async () => {
  const jellyfin = { older: "1.2.0", newer: "1.3.12" };
  const host = createScriptedHost({
    catalog: {
      jellyfin: { train: "community", title: "Jellyfin", icon: "", versions: [jellyfin.older, jellyfin.newer] },
    },
  });
  return {
    host,
    dataset: "tank/apps",
    jellyfin,
    restart: async () => host.script.restart(true),
    setAppsService: async (status) => host.script.setAppsService(status),
    stopShares: async () => {
      host.script.world.sharesServed = false;
    },
    stop: () => host.close(),
  };
});
