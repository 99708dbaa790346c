/** The policy `notify`: each new version of an app is told once. */
import { describe, expect } from "vitest";
import { renderPolicies } from "../../../src/cli/commands/upgrade-policy.ts";
import { renderNotification } from "../../../src/cli/ui/notification-text.ts";
import type { Engine, EngineHint } from "../../../src/engine/api.ts";
import type { Notification } from "../../../src/engine/ports/environment.ts";
import { wantsNotice } from "../../../src/engine/schedule/policies.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { NotificationList } from "../../../src/http/schemas/notifications.ts";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { openBerlin } from "./berlin.ts";

const NOTIFY = { mode: "notify" } as const;
const HOUR_MS = 3_600_000;
const WAIT = { timeout: 60_000 };

/** Id and read of each, the newest first. */
const listTold = (engine: Engine) => engine.notifications().map(({ id, read }) => `${id}${read ? " read" : ""}`);

async function openTold() {
  const told: Notification[] = [];
  const world = await openBerlin({ onNotification: (news) => void told.push(news) });
  return { ...world, told, ids: () => told.map(({ id }) => id) };
}

describe("a policy that wants to be told", () => {
  it("tells each version once, through restarts, and takes back what was upgraded", async () => {
    const { engine, restart, clock, publish, told, ids } = await openTold();
    const hints: EngineHint[] = [];
    const stop = new AbortController();
    void (async () => {
      for await (const hint of engine.watchHints(stop.signal)) hints.push(hint);
    })();
    await engine.setUpgradePolicies({ apps: { ant: NOTIFY } });
    expect(renderPolicies(await engine.upgradePolicies())).toEqual(["all apps: manual", "ant: notify"]);
    await expect.poll(() => listTold(engine), WAIT).toEqual(["upgrade.ant.1.1.0"]);
    const first = { type: "upgrade.available", appId: "ant", from: "1.0.0", to: "1.1.0" } as const;
    await expect
      .poll(() => told, WAIT)
      .toEqual([{ ...first, id: "upgrade.ant.1.1.0", at: "2026-01-01T00:00:00.000Z" }]);
    expect(renderNotification(first)).toBe('"ant" can be upgraded to 1.1.0: slipway upgrade ant');
    const answer = await createHttpApp(engine).request("/api/notifications?unread=true");
    expect(NotificationList.parse(await answer.json()).notifications).toEqual([{ ...told[0], read: false }]);
    const added = { type: "notification.added", id: "upgrade.ant.1.1.0" };
    // Hints are told after a pause.
    const pass = () => clock.advance(1_000);
    await expect.poll(() => [pass(), hints][1], WAIT).toContainEqual(added);
    stop.abort();

    const next = await restart();
    publish("1.1.0", "1.2.0");
    clock.advance(HOUR_MS);
    await expect.poll(ids, WAIT).toEqual(["upgrade.ant.1.1.0", "upgrade.ant.1.2.0"]);
    expect(listTold(next.engine)).toEqual(["upgrade.ant.1.2.0", "upgrade.ant.1.1.0 read"]);
    await settledTask(next.engine, (await next.engine.upgrade("ant")).id);
    await expect.poll(() => listTold(next.engine)[0], WAIT).toBe("upgrade.ant.1.2.0 read");
    expect(ids()).toHaveLength(2);
  });

  it("counts for an app of any name", () => {
    expect(wantsNotice({ all: NOTIFY, apps: {} }, "constructor")).toBe(true);
  });

  it("tells nothing twice where it is changed and set again, and takes back what it does not want", async () => {
    const { engine, clock, host, publish, ids } = await openTold();
    await engine.setUpgradePolicies({ all: NOTIFY, apps: { bee: { mode: "manual" } } });
    await expect.poll(ids, WAIT).toEqual(["upgrade.ant.1.1.0"]);
    const { apps } = host;
    host.apps = async () => {
      throw new Error("the host is away");
    };
    await engine.setUpgradePolicies({});
    await expect.poll(() => listTold(engine), WAIT).toEqual(["upgrade.ant.1.1.0 read"]);
    host.apps = apps;
    await engine.setUpgradePolicies({ all: NOTIFY });
    await expect.poll(ids, WAIT).toEqual(["upgrade.ant.1.1.0", "upgrade.bee.1.1.0"]);
    publish();
    clock.advance(HOUR_MS);
    await expect.poll(() => listTold(engine)[0], WAIT).toBe("upgrade.bee.1.1.0 read");
    publish("1.1.0", "1.3.0");
    clock.advance(HOUR_MS);
    const both = ["upgrade.ant.1.3.0", "upgrade.bee.1.3.0"];
    await expect.poll(() => ids().slice(2), WAIT).toEqual(both);
    await settledTask(engine, (await engine.uninstall("ant")).id);
    await expect.poll(() => listTold(engine), WAIT).toContain("upgrade.ant.1.3.0 read");
    expect(listTold(engine)).toContain("upgrade.bee.1.3.0");
    expect(ids().slice(2)).toEqual(both);
  });

  it("forgets what it told with an app and its data, and not with the app alone", async () => {
    const { engine, store, ids } = await openTold();
    await engine.setUpgradePolicies({ apps: { ant: NOTIFY } });
    await expect.poll(ids, WAIT).toEqual(["upgrade.ant.1.1.0"]);
    await settledTask(engine, (await engine.uninstall("ant")).id);
    expect(store.setting("ant", "toldVersions")).toEqual(["1.1.0"]);
    await settledTask(engine, (await engine.install("ant")).id);
    expect(await settledTask(engine, (await engine.uninstall("ant", { keepData: false })).id)).toMatchObject({
      result: { answers: "forgotten" },
    });
    expect(store.setting("ant", "toldVersions")).toBeNull();
  });

  it("can be marked as read over HTTP, however long the host's version is", async () => {
    const { engine, clock, publish, ids } = await openTold();
    publish(`1.1.0-${"x".repeat(400)}`);
    await engine.setUpgradePolicies({ apps: { ant: NOTIFY } });
    clock.advance(HOUR_MS);
    await expect.poll(ids, WAIT).toHaveLength(1);
    const [id = ""] = ids();
    const path = `/api/notifications/${encodeURIComponent(id)}/read`;
    expect((await createHttpApp(engine).request(path, { method: "POST" })).status).toBe(200);
  });

  it("tells the embedder again, with the same id, after a kill in between", async () => {
    const { engine, store, crash, ids } = await openTold();
    await engine.setUpgradePolicies({ apps: { ant: NOTIFY } });
    await expect.poll(ids, WAIT).toEqual(["upgrade.ant.1.1.0"]);
    store.keepSettings("ant", { toldVersions: null });
    const next = await crash();
    await expect.poll(() => ids().length, WAIT).toBeGreaterThan(1);
    expect(new Set(ids())).toEqual(new Set(["upgrade.ant.1.1.0"]));
    expect(listTold(next.engine)).toEqual(["upgrade.ant.1.1.0"]);
  });
});
