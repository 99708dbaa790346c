/** Two apps of a host in Berlin, and new versions of them. */

import type { EngineSettings } from "../../../src/engine/engine-settings.ts";
import { openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { createTestClock } from "../../support/test-clock.ts";

const offer = (versions: readonly string[]) => ({ train: "stable", title: "App", icon: "", versions });

/** Two apps at 1.0.0, on a host in Berlin, at midnight UTC of the first of January. */
export async function openBerlin(settings: Pick<EngineSettings, "onNotification" | "unattended"> = {}) {
  const clock = createTestClock(Date.parse("2026-01-01T00:00:00Z"));
  const world = await openWorld({
    catalog: { ant: {}, bee: {} },
    host: {
      deployingFor: 0,
      catalog: { ant: offer(["1.0.0"]), bee: offer(["1.0.0"]) },
      facts: { timeZone: "Europe/Berlin" },
    },
    engine: { clock, ...settings },
  });
  const { script } = world.host;
  for (const app of ["ant", "bee"]) await settledTask(world.engine, (await world.engine.install(app)).id);
  const publish = (...versions: readonly string[]) => {
    for (const app of ["ant", "bee"]) {
      script.world.catalog.set(app, offer(["1.0.0", ...versions]));
      script.setApp(app, { upgradeAvailable: true });
    }
  };
  publish("1.1.0");
  const moveTo = (time: string) => clock.advance(Date.parse(time) - clock.now());
  const version = (app: string) => script.world.instances.get(app)?.app.version;
  return { ...world, clock, script, publish, moveTo, version };
}
