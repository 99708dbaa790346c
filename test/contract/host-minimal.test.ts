import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeHost } from "../../src/contract/index.ts";
import { freePort } from "../support/host/loopback-server.ts";
import { createMinimalHost } from "../support/host/minimal-host.ts";

describeHost({ afterEach, beforeEach, describe, expect, test }, "the minimal host of docs/own-host.md", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-minimal-"));
  const id = "hello";
  const item = { catalogApp: id, train: "stable", title: "Hello", icon: "", latestVersion: "1.0.0" };
  const host = createMinimalHost(folder, [item]);
  return {
    host,
    folder,
    app: {
      ...{
        id,
        train: "stable",
        newest: "1.0.0",
        section: { note: "kept" },
        ports: [await freePort(), await freePort()],
      },
      values: (port, path) => ({ port, folder: path ?? folder }),
    },
    stop: async () => {
      for (const { name } of await host.apps()) {
        await host.startJob({ method: "deleteApp", name, removeVolumes: true }, `stop ${name}`);
      }
      rmSync(folder, { recursive: true });
    },
  };
});
