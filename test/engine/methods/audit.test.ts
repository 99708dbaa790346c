/** The list of who changed what: every method that changes something leaves one entry, done or refused. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { Actor, AuditMethod, By, Engine } from "../../../src/engine/api.ts";
import { AUDIT_METHODS } from "../../../src/engine/audit/methods.ts";
import { createEmptyTurn } from "../../../src/engine/runtime/turn/turn.ts";
import { closeAfterTest, it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf, makeInstance } from "../../support/engine/scripted-world.ts";
import { exportOf } from "../../support/scripts/export-of.ts";
import { action } from "../hooks/app-actions.ts";

const ANNA: Actor = { id: "u-1", name: "Anna Ödegård", how: "page" };
const BY: By = { actor: ANNA };
const SECRET = "swordfish-9";
const WORD = { question: "Word?", type: "text", key: "word" };
const GIVEN = { inputs: { word: "go" } };
const DEMO = {
  installation_questions: [{ question: "Password?", type: "password", key: "password", default: "first" }],
  app_values: { demo: { password: "$QUESTION(password)" } },
  hooks: [
    { ...action("fails", 'ctx.fail("no")', "converge"), inputs: [{ type: "question", id: "word", question: WORD }] },
  ],
};
const open = (): Promise<EngineWorld> => openWorld({ catalog: { demo: DEMO }, host: { deployingFor: 0 } });
const settle = async (engine: Engine, id: string): Promise<string> => (await settledTask(engine, id)).id;

/** A task whose hook has failed and asks a person. */
const pressFailing = async ({ engine }: EngineWorld) =>
  settle(engine, (await engine.runAction("demo", "fails", GIVEN)).id);

/** A task that has failed as a whole. */
async function failUpdate({ engine, host }: EngineWorld): Promise<string> {
  host.script.refuse("app.update", faultOf("HOST_CALL_FAILED", "no"));
  return settle(engine, (await engine.update("demo")).id);
}

/** A notification nobody has read. */
function notify({ store }: EngineWorld): string {
  const [[root] = []] = store.rootTrees();
  const at = 1;
  const row = { id: "told.0", at, taskId: root?.id ?? "", type: "pairing.linked", readAt: null } as const;
  const notifications = [{ ...row, runsOnAppId: "demo", hookId: "h", target: "other" }];
  store.commit({ ...createEmptyTurn({ epoch: store.opened.epoch, now: at }), notifications });
  return row.id;
}

const UPGRADE = { type: "upgrade.available", id: "upgrade.demo.2", at: 1, appId: "demo", to: "2" } as const;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-audit-"));
  closeAfterTest({ close: async () => rmSync(folder, { recursive: true }) });
  return folder;
}

const NIGHTLY = { all: { mode: "automatic", cron: "0 3 * * *" }, apps: {} } as const;

/** A call of each method that is taken, in an order in which each can be. */
const TAKEN: readonly (readonly [AuditMethod, (world: EngineWorld) => unknown])[] = [
  ["install", ({ engine }) => engine.install("demo", { answers: { password: SECRET } }, BY)],
  ["stopApp", ({ engine }) => engine.stopApp("demo", BY)],
  ["startApp", ({ engine }) => engine.startApp("demo", BY)],
  ["restartApp", ({ engine }) => engine.restartApp("demo", BY)],
  ["update", ({ engine }) => engine.update("demo", { answers: { password: `${SECRET}0` } }, BY)],
  [
    "upgrade",
    ({ engine, host }) => {
      host.script.setApp("demo", { version: "0.9.0", upgradeAvailable: true });
      return engine.upgrade("demo", {}, BY);
    },
  ],
  ["rollback", ({ engine }) => engine.rollback("demo", {}, BY)],
  [
    "upgradeAll",
    ({ engine, host }) => {
      host.script.setApp("demo", { version: "0.9.0", upgradeAvailable: true });
      return engine.upgradeAll({}, BY);
    },
  ],
  ["setUpgradePolicies", ({ engine }) => engine.setUpgradePolicies({}, BY)],
  ["runAction", ({ engine }) => engine.runAction("demo", "fails", GIVEN, BY)],
  ["retry", async ({ engine }) => engine.retry(engine.tasks()[0]?.id ?? "", {}, BY)],
  ["input", async ({ engine }) => engine.input(engine.tasks()[0]?.id ?? "", {}, {}, BY)],
  ["skip", async ({ engine }) => engine.skip(engine.tasks()[0]?.id ?? "", {}, BY)],
  ["cancel", async (world) => world.engine.cancel(await pressFailing(world), BY)],
  ["dismiss", async (world) => world.engine.dismiss(await failUpdate(world), BY)],
  ["arrangeDashboard", ({ engine }) => engine.arrangeDashboard({ tiles: null }, BY)],
  ["readNotification", (world) => world.engine.readNotification(notify(world), BY)],
  ["readNotifications", ({ engine }) => engine.readNotifications(BY)],
  ["revealAnswer", ({ engine }) => engine.revealAnswer("demo", "password", BY)],
  ["backup", ({ engine }) => engine.backup({ file: join(makeFolder(), "backup") }, BY)],
  ["exportApps", ({ engine }) => engine.exportApps({ withoutSecrets: true }, BY)],
  ["uninstall", ({ engine }) => engine.uninstall("demo", {}, BY)],
  [
    "adopt",
    ({ engine, host }) => {
      host.script.world.instances.set(...makeInstance("demo"));
      return engine.adopt("demo", { answers: { password: SECRET } }, BY);
    },
  ],
  ["importApps", ({ engine }) => engine.importApps({ file: exportOf("demo", { policies: NIGHTLY }) }, BY)],
];

/** A call of each method that is refused, where there is such a call. */
const REFUSED: readonly (readonly [AuditMethod, string, (engine: Engine) => unknown])[] = [
  ["install", "TASK_APP_UNKNOWN", (engine) => engine.install("none", {}, BY)],
  ["upgrade", "TASK_APP_UNKNOWN", (engine) => engine.upgrade("none", {}, BY)],
  ["upgradeAll", "HOST_UPGRADE_NONE", (engine) => engine.upgradeAll({}, BY)],
  [
    "setUpgradePolicies",
    "TASK_CRON_INVALID",
    (engine) => engine.setUpgradePolicies({ all: { mode: "automatic", cron: "never" } }, BY),
  ],
  ["update", "TASK_APP_UNKNOWN", (engine) => engine.update("none", {}, BY)],
  ["startApp", "TASK_APP_UNKNOWN", (engine) => engine.startApp("none", BY)],
  ["stopApp", "TASK_APP_UNKNOWN", (engine) => engine.stopApp("none", BY)],
  ["restartApp", "TASK_APP_UNKNOWN", (engine) => engine.restartApp("none", BY)],
  ["uninstall", "TASK_APP_UNKNOWN", (engine) => engine.uninstall("none", {}, BY)],
  ["adopt", "TASK_APP_UNKNOWN", (engine) => engine.adopt("none", {}, BY)],
  ["rollback", "TASK_APP_UNKNOWN", (engine) => engine.rollback("none", {}, BY)],
  ["runAction", "ACTION_UNKNOWN", (engine) => engine.runAction("demo", "none", {}, BY)],
  ["input", "TASK_UNKNOWN", (engine) => engine.input("none", {}, {}, BY)],
  ["retry", "TASK_UNKNOWN", (engine) => engine.retry("none", {}, BY)],
  ["skip", "TASK_UNKNOWN", (engine) => engine.skip("none", {}, BY)],
  ["cancel", "TASK_UNKNOWN", (engine) => engine.cancel("none", BY)],
  ["dismiss", "TASK_UNKNOWN", (engine) => engine.dismiss("none", BY)],
  [
    "arrangeDashboard",
    "DASHBOARD_REFUSED",
    (engine) => engine.arrangeDashboard({ tiles: [{ appId: "none", widgetId: "w" }] }, BY),
  ],
  ["readNotification", "NOTIFICATION_UNKNOWN", async (engine) => engine.readNotification("none", BY)],
  ["revealAnswer", "ANSWER_UNKNOWN", (engine) => engine.revealAnswer("demo", "none", BY)],
  ["backup", "STORE_CANNOT_OPEN", (engine) => engine.backup({ file: "/nowhere/at/all" }, BY)],
  ["exportApps", "TASK_REQUEST_INVALID", (engine) => engine.exportApps({ passphrase: "short" }, BY)],
  ["importApps", "EXPORT_INVALID", (engine) => engine.importApps({ file: "{}" }, BY)],
  ["drain", "TASK_REQUEST_INVALID", (engine) => engine.drain({ deadlineMs: -1 }, BY)],
];

describe("the audit list", () => {
  it("has one entry of each call, with its actor, and so has what the call changed", { timeout: 120_000 }, async () => {
    const world = await open();
    const { engine } = world;
    for (const [, call] of TAKEN) {
      const answer = await call(world);
      const id = Object.getOwnPropertyDescriptor(answer ?? {}, "id")?.value;
      if (engine.task(id) !== null) await settle(engine, id);
    }
    const entries = engine.audit({ actorId: ANNA.id });
    expect(entries.toReversed().map(({ method, refused }) => [method, refused])).toEqual(
      TAKEN.map(([method]) => [method, undefined]),
    );
    for (const { actor } of entries) expect(actor).toEqual(ANNA);
    expect(JSON.stringify(engine.audit())).not.toContain(SECRET);

    const [installed] = engine.audit({ actorId: ANNA.id }).toReversed();
    expect(installed).toMatchObject({ appId: "demo", taskId: expect.any(String) });
    expect(engine.task(installed?.taskId ?? "")?.startedBy).toEqual(ANNA);
    const skipped = entries.find(({ method }) => method === "skip")?.taskId ?? "";
    const causes = engine.history(skipped).flatMap(({ actor, cause }) => (actor ? [[cause, actor]] : []));
    expect(causes).toEqual(["xstate.init", "user.retry", "user.input", "user.skip"].map((cause) => [cause, ANNA]));

    await engine.drain({}, BY);
    const next = await world.restart();
    const [last] = next.engine.audit();
    expect(last).toMatchObject({ method: "drain", actor: ANNA });
    expect(new Set(next.engine.audit({ actorId: ANNA.id }).map(({ method }) => method))).toEqual(
      new Set(AUDIT_METHODS),
    );
    expect(next.engine.task(skipped)?.startedBy).toEqual(ANNA);
  });

  it("has the refused ones too, with the code alone", async () => {
    const { engine } = await open();
    for (const [, code, call] of REFUSED) {
      await expect(Promise.resolve(call(engine))).rejects.toMatchObject({ code });
    }
    const found = engine.audit().toReversed();
    expect(found.map(({ method, refused, actor }) => [method, refused, actor])).toEqual(
      REFUSED.map(([method, code]) => [method, code, ANNA]),
    );
    await expect(engine.cancel("\u001b[2J".repeat(99), BY)).rejects.toMatchObject({ code: "TASK_UNKNOWN" });
    expect(engine.audit()[0]).not.toHaveProperty("taskId");
  });

  it("is kept with what is changed, or neither is", async () => {
    const { engine, store } = await open();
    store.keepAudit = () => {
      throw new EngineError("STORE_FULL", "the disk is full");
    };
    const refused = expect.objectContaining({ code: "STORE_FULL" });
    const policies = await engine.upgradePolicies();
    await expect(engine.setUpgradePolicies({ all: { mode: "notify" } }, BY)).rejects.toThrow(refused);
    await expect(engine.arrangeDashboard({ tiles: [] }, BY)).rejects.toThrow(refused);
    store.keepNotification({ ...UPGRADE, readAt: null });
    expect(() => engine.readNotifications(BY)).toThrow(refused);
    expect(await engine.upgradePolicies()).toEqual(policies);
    expect(await engine.dashboard()).toMatchObject({ arranged: false });
    expect(engine.notifications({ unread: true })).toHaveLength(1);
  });

  it.for<[string, unknown]>([
    ["a line break", { ...ANNA, name: "Anna\ninstalled" }],
    ["control characters", { ...ANNA, name: "\u001b[2JAnna" }],
    ["a turned direction", { ...ANNA, name: "Anna \u202egnitirw" }],
    ["half a character", { ...ANNA, id: "\ud800" }],
    ["no name", { ...ANNA, name: "" }],
    ["a long name", { ...ANNA, name: "a".repeat(201) }],
    ["another way", { ...ANNA, how: "telepathy" }],
    ["something more", { ...ANNA, isAdmin: true }],
  ])("takes no actor with %s, and nothing is done", async ([, actor]) => {
    const { engine } = await open();
    const refused = expect.objectContaining({ code: "TASK_REQUEST_INVALID" });
    // @ts-expect-error what an embedder in JavaScript may hand over
    await expect(engine.install("demo", {}, { actor })).rejects.toThrow(refused);
    expect([engine.tasks(), engine.audit()]).toEqual([[], []]);
  });

  it("is read in pages, of an app, a task or an actor", async () => {
    const { engine } = await open();
    for (let at = 0; at < 5; at += 1) engine.readNotifications({ actor: { ...ANNA, id: `u-${at % 2}` } });
    const task = await settle(engine, (await engine.install("demo", {}, BY)).id);
    const numbers = engine.audit().map(({ number }) => number);
    const first = engine.audit({ limit: 4 });
    const rest = engine.audit({ before: first.at(-1)?.number ?? 0, limit: 4 });
    expect([...first, ...rest].map(({ number }) => number)).toEqual(numbers);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(engine.audit({ actorId: "u-0" })).toHaveLength(3);
    expect([engine.audit({ appId: "demo" }), engine.audit({ taskId: task })].map(({ length }) => length)).toEqual([
      1, 1,
    ]);
  });
});
