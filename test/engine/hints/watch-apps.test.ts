import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { AppWatch } from "../../../src/engine/hints/watch-apps.ts";
import type { HostApp } from "../../../src/engine/ports/host-records.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { createTestClock } from "../../support/test-clock.ts";

const app = (appId: string, changes: Partial<HostApp> = {}): HostApp => ({
  name: appId,
  appId,
  custom: false,
  state: "RUNNING",
  version: "1.0.0",
  upgradeAvailable: false,
  scheme: "http",
  publishedPorts: [],
  mounts: [],
  ...changes,
});

function start() {
  const clock = createTestClock();
  const host: { apps: readonly HostApp[] | Error; isStale: boolean; asked: number } = {
    apps: [app("a"), app("b")],
    isStale: false,
    asked: 0,
  };
  const changed: string[] = [];
  const watch = new AppWatch({
    clock,
    logger: SILENT_LOGGER,
    askApps: async () => {
      host.asked += 1;
      if (host.apps instanceof Error) throw host.apps;
      return { value: host.apps, at: 0, isStale: host.isStale };
    },
    async *changes() {},
    onChange: (appIds) => void changed.push(...appIds),
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await setImmediate();
    return changed.splice(0);
  };
  watch.start();
  return { watch, host, pass, clock };
}

describe("the watch on the host's apps", () => {
  it("tells which have changed, come or gone, and nothing of the first look", async () => {
    const { host, pass } = start();
    expect(await pass(0)).toEqual([]);
    host.apps = [app("a", { state: "STOPPED" }), app("b"), app("c")];
    expect(await pass(5_000)).toEqual(["a", "c"]);
    expect(await pass(5_000)).toEqual([]);
    host.apps = [app("b", { upgradeAvailable: true }), app("c"), app("c", { name: "c-2" })];
    expect(await pass(5_000)).toEqual(["a", "b", "c"]);
  });

  it("tells nothing from a host that is away, and goes on when it is back", async () => {
    const { host, pass } = start();
    await pass(0);
    host.apps = new Error("away");
    expect(await pass(5_000)).toEqual([]);
    host.apps = [];
    host.isStale = true;
    expect(await pass(5_000)).toEqual([]);
    host.apps = [app("a")];
    host.isStale = false;
    expect(await pass(5_000)).toEqual(["b"]);
  });

  it("asks nothing while nobody watches, and then tells what has changed meanwhile", async () => {
    const { watch, host, pass, clock } = start();
    await pass(0);
    watch.stop();
    const { asked } = host;
    host.apps = [app("a")];
    await pass(60_000);
    expect([host.asked, clock.sleeping()]).toEqual([asked, 0]);
    watch.start();
    expect(await pass(0)).toEqual(["b"]);
  });
});
