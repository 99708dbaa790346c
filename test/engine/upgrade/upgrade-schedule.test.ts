/** Upgrades that begin by themselves, in the windows of their policies. */
import { describe, expect } from "vitest";
import { renderPolicies } from "../../../src/cli/commands/upgrade-policy.ts";
import type { TaskView } from "../../../src/engine/api.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { UpgradePoliciesView } from "../../../src/http/schemas/previews.ts";
import { it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { openBerlin } from "./berlin.ts";

const NIGHTLY = { mode: "automatic", cron: "0 3 * * *" } as const;

const WAIT = { timeout: 30_000 };

type World = Pick<EngineWorld, "engine" | "store">;

const begun = ({ engine }: World): readonly TaskView[] => engine.tasks().filter(({ kind }) => kind === "upgrade-all");

/** The task of a window, once it has ended. */
async function waitForWindow(world: World, window: string): Promise<TaskView> {
  const find = () => begun(world).find(({ marks }) => marks.includes(`scheduled: ${window}`));
  await until(world.engine, () => find() !== undefined);
  return settledTask(world.engine, find()?.id ?? "");
}

describe("a policy of automatic upgrades", () => {
  it("begins one task in each window, by the host's clock, and leaves apps with another policy alone", async () => {
    const world = await openBerlin();
    const { engine, moveTo, publish, version } = world;
    const http = createHttpApp(engine);
    const body = JSON.stringify({ all: NIGHTLY, apps: { bee: { mode: "manual" } } });
    const put = await http.request("/api/upgrades/policies", {
      method: "PUT",
      body,
      headers: { "content-type": "application/json" },
    });
    const view = UpgradePoliciesView.parse(await put.json());
    expect(view).toEqual({
      timeZone: "Europe/Berlin",
      all: { ...NIGHTLY, next: "2026-01-01T02:00:00.000Z" },
      apps: { bee: { mode: "manual" } },
      revision: expect.any(String),
    });
    expect(renderPolicies(await engine.upgradePolicies())).toEqual([
      'all apps: automatic at "0 3 * * *" (Europe/Berlin), 60 minutes long, next 2026-01-01T02:00:00.000Z',
      "bee: manual",
    ]);
    moveTo("2026-01-01T02:00:00Z");
    const first = await waitForWindow(world, "* 2026-01-01T02:00:00.000Z");
    expect(first).toMatchObject({
      state: "COMPLETED",
      result: { done: ["ant"] },
      remarks: [{ code: "scheduled" }],
      startedBy: { id: "schedule", how: "schedule" },
    });
    expect([version("ant"), version("bee")]).toEqual(["1.1.0", "1.0.0"]);
    publish("1.1.0", "1.2.0");
    moveTo("2026-01-01T02:59:00Z");
    moveTo("2026-01-02T02:00:00Z");
    await waitForWindow(world, "* 2026-01-02T02:00:00.000Z");
    expect(begun(world)).toHaveLength(2);
    expect(UpgradePoliciesView.parse(await (await http.request("/api/upgrades/policies")).json()).all).toEqual({
      ...NIGHTLY,
      next: "2026-01-03T02:00:00.000Z",
    });
  });

  it("tries again while its window is open, and makes up for a missed one only where that is wanted", async () => {
    const world = await openBerlin();
    const { engine, script, moveTo, log, version } = world;
    await engine.setUpgradePolicies({
      all: { mode: "manual" },
      apps: { ant: NIGHTLY, bee: { ...NIGHTLY, late: true } },
    });
    script.setAppsService("STOPPED");
    moveTo("2026-01-01T02:00:00Z");
    const failed = () => log.filter((line) => line.includes("a scheduled upgrade was not begun")).length;
    await expect.poll(failed, WAIT).toBe(2);
    moveTo("2026-01-01T05:00:00Z");
    script.setAppsService("RUNNING");
    moveTo("2026-01-01T05:01:00Z");
    await waitForWindow(world, "bee 2026-01-01T02:00:00.000Z");
    expect([version("ant"), version("bee")]).toEqual(["1.0.0", "1.1.0"]);
    expect(failed(), "each window says its cause once").toBe(2);
    expect(log.filter((line) => line.includes("has passed"))).toEqual([expect.stringContaining('"schedule":"ant"')]);
    moveTo("2026-01-02T02:00:00Z");
    await waitForWindow(world, "ant 2026-01-02T02:00:00.000Z");
    expect([version("ant"), version("bee")]).toEqual(["1.1.0", "1.1.0"]);
  });

  it("begins one task for the windows that open together, and none for a policy withdrawn meanwhile", async () => {
    const world = await openBerlin();
    const { engine, host, moveTo, publish } = world;
    await engine.setUpgradePolicies({ all: NIGHTLY, apps: { bee: { ...NIGHTLY, late: true } } });
    moveTo("2026-01-01T02:00:00Z");
    expect(await waitForWindow(world, "bee 2026-01-01T02:00:00.000Z")).toMatchObject({
      marks: ["scheduled: * 2026-01-01T02:00:00.000Z", "scheduled: bee 2026-01-01T02:00:00.000Z"],
      result: { done: ["ant", "bee"] },
    });
    publish("1.1.0", "1.2.0");
    const { apps } = host;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    host.apps = async () => {
      asked.resolve();
      await answer.promise;
      return apps();
    };
    moveTo("2026-01-02T02:00:00Z");
    await asked.promise;
    await engine.setUpgradePolicies({ apps: { bee: { ...NIGHTLY, late: true } } });
    host.apps = apps;
    answer.resolve();
    moveTo("2026-01-03T02:00:00Z");
    await waitForWindow(world, "bee 2026-01-03T02:00:00.000Z");
    expect(begun(world).flatMap(({ marks }) => marks)).not.toContainEqual(expect.stringContaining("* 2026-01-02"));
    expect(world.version("ant")).toBe("1.1.0");
  });

  it("stays open where every upgrade was left out, and says why", async () => {
    const world = await openBerlin();
    const { engine, script, moveTo, log } = world;
    await engine.setUpgradePolicies({ apps: { ant: NIGHTLY } });
    const release = script.hold("app.stop");
    const { id } = await engine.stopApp("ant");
    moveTo("2026-01-01T02:00:00Z");
    await expect.poll(() => log.join("\n"), WAIT).toContain("is already at work on");
    release();
    await settledTask(engine, id);
    moveTo("2026-01-01T02:01:00Z");
    await waitForWindow(world, "ant 2026-01-01T02:00:00.000Z");
    expect(world.version("ant")).toBe("1.1.0");
  });

  it("that comes late is asked once: what was left out of it is left to the next window", async () => {
    const world = await openBerlin();
    const { engine, script, store, moveTo, log, version } = world;
    await engine.setUpgradePolicies({ apps: { ant: { ...NIGHTLY, late: true } } });
    const before = store.setting("", "upgradePolicies");
    const release = script.hold("app.stop");
    const { id } = await engine.stopApp("ant");
    moveTo("2026-01-01T05:00:00Z");
    await expect.poll(() => store.setting("", "upgradePolicies"), WAIT).not.toEqual(before);
    expect(log.filter((line) => line.includes("not begun, and its window has passed"))).toHaveLength(1);
    release();
    await settledTask(engine, id);
    await settledTask(engine, (await engine.startApp("ant")).id);
    moveTo("2026-01-02T02:00:00Z");
    await waitForWindow(world, "ant 2026-01-02T02:00:00.000Z");
    expect(begun(world).flatMap(({ marks }) => marks)).toEqual(["scheduled: ant 2026-01-02T02:00:00.000Z"]);
    expect(version("ant")).toBe("1.1.0");
  });

  it("puts the failed upgrade of an earlier window away as it tries anew", async () => {
    const world = await openBerlin();
    const { engine, script, moveTo, version } = world;
    await engine.setUpgradePolicies({ all: NIGHTLY, apps: { bee: { mode: "manual" } } });
    const states = () => begun(world).flatMap(({ children }) => children.map(({ state }) => state));
    for (const day of [1, 2]) {
      script.endJob("app.upgrade", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
      moveTo(`2026-01-0${day}T02:00:00Z`);
      await waitForWindow(world, `* 2026-01-0${day}T02:00:00.000Z`);
    }
    expect(states().toSorted()).toEqual(["DISMISSED", "FAILED"]);
    moveTo("2026-01-03T02:00:00Z");
    await waitForWindow(world, "* 2026-01-03T02:00:00.000Z");
    expect(states().toSorted()).toEqual(["COMPLETED", "DISMISSED", "DISMISSED"]);
    expect(version("ant")).toBe("1.1.0");
  });

  it("goes on after a clock that was ahead, and after a fault of the database", async () => {
    const world = await openBerlin();
    const { clock, engine, store, moveTo, log } = world;
    await engine.setUpgradePolicies({ all: NIGHTLY });
    const before = store.setting("", "upgradePolicies");
    store.keepSettings("", { upgradePolicies: "unreadable" });
    clock.advance(60_000);
    await expect.poll(() => log.join("\n"), WAIT).toContain("a scheduled upgrade was not begun");
    store.keepSettings("", { upgradePolicies: before });
    const done = () => JSON.stringify(store.setting("", "upgradePolicies"));
    const year = 365 * 86_400_000;
    const first = done();
    clock.step(year);
    clock.advance(60_000);
    await expect.poll(done, WAIT).not.toBe(first);
    const ahead = done();
    clock.step(-year);
    clock.advance(60_000);
    await expect.poll(done, WAIT).not.toBe(ahead);
    moveTo("2026-01-01T02:00:00Z");
    await waitForWindow(world, "* 2026-01-01T02:00:00.000Z");
  });

  it("that dies before it has noted what it began begins nothing again", async () => {
    const world = await openBerlin();
    await world.engine.setUpgradePolicies({ all: NIGHTLY });
    const before = world.store.setting("", "upgradePolicies");
    world.moveTo("2026-01-01T02:00:00Z");
    await waitForWindow(world, "* 2026-01-01T02:00:00.000Z");
    world.publish("1.1.0", "1.2.0");
    await expect.poll(() => world.store.setting("", "upgradePolicies")).not.toEqual(before);
    const noted = world.store.setting("", "upgradePolicies");
    world.store.keepSettings("", { upgradePolicies: before });
    const next = await world.crash();
    await expect.poll(() => next.store.setting("", "upgradePolicies")).toEqual(noted);
    expect(begun(next)).toHaveLength(1);
    expect(world.version("ant")).toBe("1.1.0");
  });

  it("that dies as its window opens begins in the next life", async () => {
    const world = await openBerlin();
    await world.engine.setUpgradePolicies({ all: NIGHTLY });
    const { apps } = world.host;
    const asked = Promise.withResolvers<void>();
    world.host.apps = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    world.moveTo("2026-01-01T02:00:00Z");
    await asked.promise;
    world.host.apps = apps;
    const next = await world.crash();
    await waitForWindow(next, "* 2026-01-01T02:00:00.000Z");
    expect(begun(next)).toHaveLength(1);
    expect([world.version("ant"), world.version("bee")]).toEqual(["1.1.0", "1.1.0"]);
  });

  it("begins nothing in an engine that is opened for one deed, and its window in the next one that stays", async () => {
    const world = await openBerlin({ unattended: false });
    await world.engine.setUpgradePolicies({ all: NIGHTLY });
    world.moveTo("2026-01-01T02:00:00Z");
    const short = await world.restart();
    await settledTask(short.engine, (await short.engine.restartApp("bee")).id);
    expect(begun(short)).toEqual([]);
    const stays = await short.restart({ unattended: true });
    const task = await waitForWindow(stays, "* 2026-01-01T02:00:00.000Z");
    expect(begun(stays).map(({ id }) => id)).toEqual([task.id]);
  });

  it("is refused with the place of what is wrong in its times, and changes nothing", async () => {
    const { engine } = await openBerlin();
    const faulty = { ...NIGHTLY, cron: "0 25 * * *" };
    await expect(engine.setUpgradePolicies({ apps: { ant: faulty } })).rejects.toMatchObject({
      code: "TASK_CRON_INVALID",
      message: expect.stringMatching(/^"0 25 \* \* \*" is no cron expression: hour: .* \(at character 3\)$/),
      details: { cron: "0 25 * * *", position: 2 },
    });
    expect(await engine.upgradePolicies()).toMatchObject({ all: { mode: "manual" }, apps: {} });
  });

  it("takes the place of those alone that were shown", async () => {
    const { engine } = await openBerlin();
    const { revision } = await engine.upgradePolicies();
    const theirs = await engine.setUpgradePolicies({ all: NIGHTLY, revision });
    expect(theirs.revision).not.toBe(revision);
    await expect(engine.setUpgradePolicies({ revision })).rejects.toMatchObject({ code: "TASK_POLICIES_STALE" });
    expect(await engine.upgradePolicies()).toEqual(theirs);
    const { revision: again } = await engine.setUpgradePolicies({ revision: theirs.revision });
    // What is kept is as it was.
    expect(again).toBe(revision);
  });
});
