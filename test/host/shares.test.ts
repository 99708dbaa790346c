/** Shares of an app on each release: made under a free name, served now and after a restart of the host. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { type DisturbedEngine, openDisturbedEngine } from "../support/engine/disturbed-engine.ts";
import { createTestSandbox } from "../support/engine/engine-world.ts";

const sandbox = createTestSandbox();
afterAll(() => sandbox.close());

describe.each(GENERATIONS)("on %s", (generation) => {
  let world: DisturbedEngine;
  beforeAll(async () => {
    world = await openDisturbedEngine(sandbox, { generation, callMs: 30_000 });
    await world.host.facts();
  });
  afterAll(() => world.close());

  const switchOff = () => Object.assign(world.standin.control.state(), { smbRunning: false, smbEnabled: false });

  test("an install has them served, and a reboot of the host leaves them so", async () => {
    switchOff();
    const { task } = await world.install();
    expect(task.marks).toEqual(expect.arrayContaining(["sharesStarted", "sharesEnabled"]));
    await world.standin.control.reboot();
    expect(await world.host.sharesService()).toEqual({ running: true, enabled: true });
  });

  test("a service that does not come up is told, and is enabled all the same", async () => {
    await world.reset();
    switchOff();
    const { task } = await world.install(() => world.standin.control.arm("smb-stays-down"));
    expect(task).toMatchObject({ state: "COMPLETED", result: { shares: ["new"] } });
    expect(task.marks).toEqual(
      expect.arrayContaining(["sharesNotServed: the host's SMB service does not come up", "sharesEnabled"]),
    );
    expect(await world.host.sharesService()).toEqual({ running: false, enabled: true });
  });

  test("a name that is taken between the look and the share gets a number", async () => {
    await world.reset();
    const { shares } = world.host;
    let looks = 0;
    world.host.shares = async () => {
      const seen = await shares();
      looks += 1;
      if (looks === 1) await world.host.createShare({ name: "NEW", path: "/mnt/tank/Media" });
      return seen;
    };
    const { task, failures } = await world.install();
    world.host.shares = shares;
    expect(failures).toEqual([]);
    expect(task).toMatchObject({ state: "COMPLETED", result: { shares: ["new-2"] } });
  });
});
