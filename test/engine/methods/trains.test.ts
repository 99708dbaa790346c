/** Catalog ids are not unique: `community/nextcloud` is another app than the `stable/nextcloud` a script means. */
import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import type { AvailableApp } from "../../../src/engine/ports/host-records.ts";
import { separateTrains } from "../../../src/engine/separate-trains.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { openOnStandin } from "../../support/engine/engine-on-standin.ts";
import { it } from "../../support/engine/engine-test.ts";
import { faultOf, makeInstance } from "../../support/engine/scripted-world.ts";
import { createScriptedHost } from "../../support/host/scripted-host.ts";
import { createTestClock } from "../../support/test-clock.ts";

const APP = "nextcloud";
const port = (port_number: number) => ({ network: { web_port: { bind_mode: "published", port_number } } });
const SCRIPT = { app_values: port(30_963) };

/** An engine with a script of `nextcloud`, and the app of that id from a train installed by other means. */
async function openBeside(train: string, instance = APP) {
  const world = await openOnStandin({ [APP]: SCRIPT });
  await installByHand(world, train, instance);
  return world;
}

async function installByHand(world: Awaited<ReturnType<typeof openOnStandin>>, train: string, name: string) {
  const call = { method: "createApp", name, catalogApp: APP, train, values: port(30_964) } as const;
  const job = await world.host().startJob(call, `by-hand-${name}`);
  const watch = { signal: AbortSignal.timeout(60_000), progress: () => {} };
  expect(
    await world.host().waitJob({ requestId: `by-hand-${name}`, ...job, method: "createApp" }, watch),
  ).toMatchObject({
    state: "SUCCESS",
  });
}

describe("an app of another train with the id of a script", () => {
  it("is not the script's app: not installed, not to be adopted, updated, upgraded or removed", async () => {
    const world = await openBeside("community");
    const engine = world.engine();
    expect(await engine.app(APP)).toMatchObject({ installed: null });
    for (const asked of [engine.adopt(APP), engine.update(APP), engine.upgrade(APP), engine.uninstall(APP)])
      await expect(asked).rejects.toMatchObject({ code: "TASK_APP_NOT_INSTALLED" });
    expect((await engine.lookForDrift()).findings).toEqual([]);
    expect((await engine.apps()).find(({ appId }) => appId === `${APP}@community`)).toMatchObject({
      usable: false,
      installed: { version: "1.1.0" },
    });
  });

  it("keeps its name: an install says that it is taken, and changes nothing", async () => {
    const world = await openBeside("community");
    await expect(world.engine().install(APP)).rejects.toMatchObject({ code: "HOST_NAME_TAKEN" });
    expect(Object.keys(world.standin.control.state().apps)).toEqual([APP]);
  });

  it("is left alone by the script's own app beside it, with its version and its removal", async () => {
    const world = await openBeside("community", "cloud");
    const engine = world.engine();
    expect(await world.settled(await engine.install(APP))).toMatchObject({ state: "COMPLETED" });
    expect(world.standin.control.state().apps[APP]).toMatchObject({ train: "stable" });
    world.standin.control.release(APP, "9.0.0", "community");
    await expect(engine.upgrade(APP)).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
    world.standin.control.release(APP, "3.0.0", "stable");
    expect(await world.settled(await engine.upgrade(APP))).toMatchObject({
      state: "COMPLETED",
      result: { to: "3.0.0" },
    });
    expect(await world.settled(await engine.uninstall(APP))).toMatchObject({ state: "COMPLETED" });
    expect(world.standin.control.state().apps["cloud"]).toMatchObject({ train: "community", version: "1.1.0" });
    expect(await engine.app(APP)).toMatchObject({ installed: null });
  });

  it("that took the place of the script's app is found by a look for drift", async () => {
    const world = await openOnStandin({ [APP]: SCRIPT });
    await world.settled(await world.engine().install(APP));
    const remove = { method: "deleteApp", name: APP, removeVolumes: false } as const;
    const job = await world.host().startJob(remove, "by-hand-delete");
    await world
      .host()
      .waitJob(
        { requestId: "by-hand-delete", ...job, method: "deleteApp" },
        { signal: AbortSignal.timeout(60_000), progress: () => {} },
      );
    await installByHand(world, "community", APP);
    expect((await world.engine().lookForDrift()).findings).toMatchObject([{ appId: APP }]);
    expect(await world.engine().app(APP)).toMatchObject({ installed: null });
  });
});

describe("an app of the train a script means", () => {
  it("is adopted, and stays the script's", async () => {
    const world = await openBeside("stable");
    expect(await world.engine().app(APP)).toMatchObject({ installed: { version: "2.1.0" } });
    expect(await world.settled(await world.engine().adopt(APP))).toMatchObject({ state: "COMPLETED" });
  });
});

describe("without the host's catalog", () => {
  const listed: AvailableApp = {
    catalogApp: APP,
    train: "stable",
    otherTrains: ["community"],
    title: "Nextcloud",
    icon: "",
    latestVersion: "2.1.0",
  };

  /** A host with the app of the other train, whose catalog is read by `read`. */
  function open(kept: string | null, read: () => Promise<AvailableApp[]>) {
    const host = createScriptedHost({ instances: [makeInstance(APP, {}, { train: "community" })] });
    host.availableApps = read;
    const clock = createTestClock();
    const seen = separateTrains(host, { store: { setting: () => kept }, clock, logger: SILENT_LOGGER });
    const ask = async () => (await seen.apps()).map(({ appId }) => appId);
    return { clock, seen, ask };
  }
  const refuse = async (): Promise<never> => {
    throw new HostError(faultOf("HOST_BUSY", "the host has no time", { retryable: true }), "yes");
  };

  it("is another app than the one that was installed from its train", async () => {
    const { seen, ask } = open("stable", refuse);
    expect(await ask()).toEqual([`${APP}@community`]);
    expect(await seen.app(APP)).toMatchObject({ appId: `${APP}@community` });
  });

  it("counts by the catalog as it was last known, and the catalog is asked again", async () => {
    const answers = [async () => [listed], refuse, async () => [{ ...listed, train: "community", otherTrains: [] }]];
    const { clock, ask } = open(null, () => (answers.shift() ?? refuse)());
    expect(await ask()).toEqual([`${APP}@community`]);
    clock.advance(600_001);
    expect(await ask()).toEqual([`${APP}@community`]);
    await expect
      .poll(() => {
        clock.advance(10_000);
        return ask();
      })
      .toEqual([APP]);
  });

  it("does not ask for a catalog again until 10 s after it could not be read", async () => {
    let asked = 0;
    const { clock, ask } = open(null, () => {
      asked += 1;
      return refuse();
    });
    for (let times = 0; times < 3; times += 1) expect(await ask()).toEqual([APP]);
    expect(asked).toBe(1);
    clock.advance(9_999);
    await ask();
    expect(asked).toBe(1);
    clock.advance(1);
    await ask();
    expect(asked).toBe(2);
  });

  it("is listed after a wait of seconds while the catalog is synced for the first time", async () => {
    const synced = Promise.withResolvers<AvailableApp[]>();
    const { clock, ask } = open(null, () => synced.promise);
    const first = ask();
    await expect.poll(() => clock.sleeping()).toBe(1);
    clock.advance(5_000);
    expect(await first).toEqual([APP]);
    expect(await ask()).toEqual([APP]);
    synced.resolve([listed]);
    await expect.poll(ask).toEqual([`${APP}@community`]);
  });
});
