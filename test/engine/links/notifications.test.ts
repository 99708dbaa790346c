import { describe, expect } from "vitest";
import type { EngineEvent } from "../../../src/engine/api.ts";
import type { Notification } from "../../../src/engine/ports/environment.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { NotificationList } from "../../../src/http/schemas/notifications.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";

const on = (app: string) => ({ role: "visibility", type: "appInstalled", app });
const CONNECT = {
  id: "connect",
  title: "Connect",
  rerun: "converge",
  entrypoint: "run",
  scriptContent: "export async function run() {}",
  conditions: [on("other"), on("third")],
};

/** An install that linked two targets. */
async function linked(onNotification: (notification: Notification) => void | Promise<void> = () => {}) {
  const world = await openWorld({
    catalog: { demo: { hooks: [CONNECT] }, other: {}, third: {} },
    engine: { onNotification },
    host: { deployingFor: 0 },
  });
  const { engine } = world;
  for (const app of ["other", "third"]) await settledTask(engine, (await engine.install(app)).id);
  const links = [{ hookId: "connect", runsOnAppId: "demo", targets: ["other", "third"] }];
  const view = await settledTask(engine, (await engine.install("demo", { links })).id);
  return { ...world, view, taskId: view.children[0]?.id ?? "" };
}

describe("Notifications reach people", () => {
  it("one for each target, stored until it is read, through a restart", async () => {
    const told: Notification[] = [];
    const { engine, taskId, restart } = await linked((notification) => void told.push(notification));
    const facts = { type: "pairing.linked", runsOnAppId: "demo", hookId: "connect", taskId };
    const stored = engine.notifications();
    expect(stored).toEqual([
      { ...facts, id: `${taskId}.1`, at: expect.any(String), target: "third", read: false },
      { ...facts, id: `${taskId}.0`, at: expect.any(String), target: "other", read: false },
    ]);
    expect(told).toEqual(stored.toReversed().map(({ read: _, ...notification }) => notification));
    const { engine: again } = await restart();
    expect(again.notifications()).toEqual(stored);
    expect(again.readNotification(`${taskId}.0`)).toMatchObject({ target: "other", read: true });
    expect(again.notifications({ unread: true })).toMatchObject([{ target: "third" }]);
    expect(again.notifications().map(({ read }) => read)).toEqual([false, true]);
    expect(again.readNotifications()).toBe(1);
    expect(again.notifications({ unread: true })).toEqual([]);
    expect(() => again.readNotification("none")).toThrow(expect.objectContaining({ code: "NOTIFICATION_UNKNOWN" }));
    expect(told).toHaveLength(2);
  });

  it("under an id that is taken over HTTP, however an author calls a hook", async () => {
    const hook = { ...CONNECT, id: "connect ~ ☃ ".repeat(15), conditions: [on("other")] };
    const { engine } = await openWorld({ catalog: { demo: { hooks: [hook] }, other: {} }, host: { deployingFor: 0 } });
    await settledTask(engine, (await engine.install("other")).id);
    const links = [{ hookId: hook.id, runsOnAppId: "demo", targets: ["other"] }];
    const { children } = await settledTask(engine, (await engine.install("demo", { links })).id);
    expect(children).toMatchObject([{ hookId: hook.id, state: "COMPLETED" }]);
    const http = createHttpApp(engine);
    const [told] = engine.notifications();
    const ask = async (path: string, method = "GET") => (await http.request(`/api${path}`, { method })).status;
    expect(await ask(`/notifications/${encodeURIComponent(told?.id ?? "")}/read`, "POST")).toBe(200);
    expect(await ask(`/tasks/${encodeURIComponent(children[0]?.id ?? "")}`)).toBe(200);
  });

  it("in the event stream, once each, in the turn that made the link", async () => {
    const { engine, taskId } = await linked();
    const seen: EngineEvent[] = [];
    for await (const event of engine.watch(0)) {
      seen.push(event);
      if (event.seq === engine.lastSeq()) break;
    }
    const found = seen.filter((event) => event.type === "task.notified");
    expect(found.map(({ notification }) => notification)).toEqual(
      engine
        .notifications()
        .toReversed()
        .map(({ read: _, ...notification }) => notification),
    );
    expect(found.every(({ task }) => task.id === taskId)).toBe(true);
  });

  it("exactly once, also where the engine dies while the embedder is being told", async () => {
    let dies = true;
    const died = Promise.withResolvers<void>();
    const { engine, crash } = await openWorld({
      catalog: { demo: { hooks: [{ ...CONNECT, conditions: [on("other")] }] }, other: {} },
      engine: {
        onNotification: () => {
          if (dies) died.resolve();
        },
      },
      host: { deployingFor: 0 },
    });
    await settledTask(engine, (await engine.install("other")).id);
    const links = [{ hookId: "connect", runsOnAppId: "demo", targets: ["other"] }];
    const { id } = await engine.install("demo", { links });
    await died.promise;
    dies = false;
    const { engine: next } = await crash();
    expect(await settledTask(next, id)).toMatchObject({
      state: "COMPLETED",
      children: [{ state: "COMPLETED" }],
    });
    expect(next.notifications()).toHaveLength(1);
  });

  it("where the embedder's onNotification rejects: it is logged, and the process lives", async () => {
    const { engine, view, log } = await linked(async () => {
      throw new Error("the mail server is away");
    });
    expect(view.state).toBe("COMPLETED");
    expect(log.filter((line) => line.includes("onNotification failed"))).toHaveLength(2);
    expect(engine.notifications({ unread: true })).toHaveLength(2);
  });

  it("over HTTP: all, the unread, one marked as read, all of them", async () => {
    const { engine, taskId } = await linked();
    const app = createHttpApp(engine);
    const list = async (query = "") => {
      const response = await app.request(`/api/notifications${query}`);
      return NotificationList.parse(await response.json()).notifications;
    };
    expect(await list()).toMatchObject([
      { target: "third", read: false },
      { target: "other", read: false },
    ]);
    const id = encodeURIComponent(`${taskId}.0`);
    const one = await app.request(`/api/notifications/${id}/read`, { method: "POST" });
    expect([one.status, await one.json()]).toMatchObject([200, { target: "other", read: true }]);
    expect(await list("?unread=true")).toMatchObject([{ target: "third" }]);
    const all = await app.request("/api/notifications/read", { method: "POST" });
    expect([all.status, await all.json()]).toEqual([200, { read: 1 }]);
    expect(await list("?unread=true")).toEqual([]);
    expect((await app.request("/api/notifications/none/read", { method: "POST" })).status).toBe(404);
  });
});
