/** The contract suite of the `Store` port: every implementation runs it. */
import type { RootFilter, Store } from "../engine/ports/store.ts";
import { describeJournals } from "./store-journals.ts";
import { makeEffect, makeTask, turn } from "./store-rows.ts";
import type { TestHooks } from "./test-hooks.ts";

/** One place a store keeps its data in; new and empty for each test. */
export interface StoreUnderTest {
  /** Opens the store; again after a close, it is the same data. */
  open(): Store;
  /** Closes what is still open, and deletes the data. */
  remove(): void;
}

/** Declares the suite on the stores `make` makes room for, by the hooks of the caller's test runner. */
export function describeStore(hooks: TestHooks, name: string, make: () => StoreUnderTest): void {
  const { afterEach, beforeEach, describe, expect, test } = hooks;
  let place: StoreUnderTest;
  const open = (): Store => place.open();
  describe(`Store port: ${name}`, () => {
    beforeEach(() => {
      place = make();
    });
    afterEach(() => place.remove());

    describe("commit", () => {
      test("writes a whole turn and numbers its log entries", () => {
        const store = open();
        const timer = { taskId: "t", id: "late", event: { type: "late" }, dueAt: 9, delay: 8, active: true };
        const mail = { to: "t", event: { type: "hello", from: "x" } };
        const started = {
          plan: { secret: "s" },
          secrets: { token: "abc" },
          scripts: [{ sha256: "ff", code: "1", sourceMap: "{}" }],
        };
        const { logged } = store.commit(
          turn(store, makeTask("t", 1), { effects: [makeEffect("t", 1)], timers: [timer], mail: [mail], started }),
        );
        expect(logged.map(({ seq }) => seq)).toEqual([1]);
        expect(store.task("t")).toEqual(makeTask("t", 1));
        expect(store.openEffects("t")).toEqual([makeEffect("t", 1)]);
        expect(store.timers("t")).toEqual([timer]);
        expect([store.nextMail(), store.nextMail(1)]).toEqual([{ id: 1, ...mail }, null]);
        expect(store.plan("t")).toEqual({ secret: "s" });
        expect([store.secret("t", "token"), store.secret("t", "none")]).toEqual(["abc", null]);
        expect(store.script("ff")).toEqual({ sha256: "ff", code: "1", sourceMap: "{}" });
        expect(store.logAfter(0, 10)).toEqual(logged);

        store.commit(turn(store, makeTask("t", 2), { consumed: { kind: "effect", id: "t:1.0" }, cleared: [timer] }));
        store.commit(turn(store, makeTask("t", 3), { consumed: { kind: "mail", id: 1 } }));
        expect([store.openEffects(), store.timers(), store.nextMail()]).toEqual([[], [], null]);
      });

      test("counts what is unfinished and open, and says how large it is", () => {
        const store = open();
        const before = store.tally();
        expect([before.tasks, before.effects]).toEqual([[], []]);
        store.commit(turn(store, makeTask("t", 1), { effects: [makeEffect("t", 1), makeEffect("t", 2)] }));
        store.commit(turn(store, makeTask("u", 1)));
        const over = makeTask("v", 1);
        store.commit(turn(store, { ...over, facts: { ...over.facts, state: "COMPLETED" } }));
        expect(store.tally().tasks).toEqual([{ kind: "install", state: "RUNNING", count: 2 }]);
        expect(store.tally().effects).toEqual([{ name: "work", count: 2, oldest: 1 }]);
        store.commit(turn(store, makeTask("t", 2), { cancelled: [makeEffect("t", 1).id] }));
        expect(store.tally().effects).toEqual([{ name: "work", count: 1, oldest: 2 }]);
        expect(store.tally().bytes).toBeGreaterThan(0);
      });

      test("loses its plan's secrets and its vault where it is redacted, and nothing else", () => {
        const store = open();
        for (const id of ["t", "u"]) {
          const started = { plan: { secret: id }, secrets: { token: id }, scripts: [] };
          store.commit(turn(store, makeTask(id, 1), { started }));
        }
        store.eraseDeleted();
        store.redactTree("t", { secret: null });
        expect([store.plan("t"), store.secrets("t"), store.task("t")?.rev]).toEqual([{ secret: null }, {}, 1]);
        expect([store.plan("u"), store.secrets("u")]).toEqual([{ secret: "u" }, { token: "u" }]);
        expect(store.holdsDeleted()).toBe(true);
        store.eraseDeleted();
        expect(store.holdsDeleted()).toBe(false);
      });

      test("changes nothing when any row of the turn is refused", () => {
        const store = open();
        store.commit(turn(store, makeTask("t", 1)));
        const twice = [makeEffect("t", 2), makeEffect("t", 2)];
        expect(() => store.commit(turn(store, makeTask("t", 2), { effects: twice }))).toThrow();
        expect(store.task("t")?.rev).toBe(1);
        expect(store.logAfter(0, 10)).toHaveLength(1);
        expect(store.commit(turn(store, makeTask("t", 2))).logged[0]?.seq).toBe(2);
      });

      test("refuses a turn of an older revision or an older life", () => {
        const store = open();
        store.commit(turn(store, makeTask("t", 1)));
        store.commit(turn(store, makeTask("t", 2)));
        expect(() => store.commit(turn(store, makeTask("t", 2)))).toThrow(
          expect.objectContaining({ code: "STORE_FENCED" }),
        );
        expect(() => store.commit({ ...turn(store, makeTask("t", 3)), epoch: 0 })).toThrow(
          expect.objectContaining({ code: "STORE_FENCED" }),
        );
      });

      test("lets one unfinished task hold a claim", () => {
        const store = open();
        store.commit(turn(store, makeTask("a", 1, { claim: "app:shop" })));
        expect(store.holder("app:shop")).toBe("a");
        expect(() => store.commit(turn(store, makeTask("b", 1, { claim: "app:shop" })))).toThrow();
        const failed = {
          ...makeTask("a", 2, { claim: "app:shop" }),
          facts: { ...makeTask("a", 2).facts, state: "FAILED" as const },
        };
        store.commit(turn(store, failed));
        store.commit(turn(store, makeTask("b", 1, { claim: "app:shop" })));
        expect(store.holder("app:shop")).toBe("b");
      });
    });

    describe("pages of root tasks", () => {
      const listIds = (store: Store, filter: RootFilter) => store.rootTrees(filter).map(([{ id }]) => id);

      test("come newest first, each with what is under it, and go on before the last of the page", () => {
        const store = open();
        for (const id of ["a", "b", "c", "d"]) store.commit(turn(store, makeTask(id, 1)));
        store.commit(turn(store, makeTask("b~hook", 1, { root: "b", parent: "b", kind: "hook" })));
        expect(store.rootTrees({}).map((tree) => tree.map(({ id }) => id))).toEqual([
          ["d"],
          ["c"],
          ["b", "b~hook"],
          ["a"],
        ]);
        expect(listIds(store, { limit: 2 })).toEqual(["d", "c"]);
        expect(listIds(store, { limit: 2, before: "c" })).toEqual(["b", "a"]);
        expect([
          listIds(store, { before: "a" }),
          listIds(store, { before: "b~hook" }),
          listIds(store, { before: "none" }),
        ]).toEqual([[], [], []]);
      });

      test("are narrowed by app, state and last change", () => {
        const store = open();
        store.commit(turn(store, makeTask("a", 1, { appId: "other", updated: 30 })));
        store.commit(turn(store, makeTask("b", 1, { updated: 20 })));
        const facts = { ...makeTask("c", 1).facts, state: "COMPLETED" as const };
        store.commit(turn(store, makeTask("c", 1, { facts, updated: 10 })));
        expect(listIds(store, { appId: "other" })).toEqual(["a"]);
        expect(listIds(store, { states: ["COMPLETED", "FAILED"] })).toEqual(["c"]);
        expect(listIds(store, { states: [] })).toEqual([]);
        expect(listIds(store, { words: ["OTH", "a"] })).toEqual(["a"]);
        expect(listIds(store, { words: ["shop"], since: 15 })).toEqual(["b"]);
        expect(listIds(store, { words: ["shop", "%"] })).toEqual([]);
        expect(listIds(store, { since: 20 })).toEqual(["b", "a"]);
        expect(listIds(store, { since: 20, states: ["RUNNING"], appId: "shop", limit: 1 })).toEqual(["b"]);
      });
    });

    describe("the history of a task", () => {
      test("holds its entries and those of its checkpoints, after a number, at most so many", () => {
        const store = open();
        store.commit(turn(store, makeTask("t", 1)));
        store.commit(turn(store, makeTask("t~hook", 1, { root: "t", parent: "t", kind: "hook" })));
        const checkpoint = { root: "t", parent: "t~hook", kind: "checkpoint" } as const;
        store.commit(turn(store, makeTask("t~hook~one", 1, checkpoint)));
        store.commit(turn(store, makeTask("t~hook", 2, { root: "t", parent: "t", kind: "hook" })));
        const listSeqs = (id: string, from: number, limit: number) =>
          store.history(id, from, limit).map(({ seq }) => seq);
        expect(listSeqs("t", 0, 10)).toEqual([1]);
        expect(listSeqs("t~hook", 0, 10)).toEqual([2, 3, 4]);
        expect([listSeqs("t~hook", 2, 10), listSeqs("t~hook", 0, 2)]).toEqual([
          [3, 4],
          [2, 3],
        ]);
      });
    });

    describe("a tree that has ended", () => {
      const makeEnded = (id: string, updated: number, state: "COMPLETED" | "RUNNING" = "COMPLETED") => ({
        ...makeTask(id, 1, { updated }),
        facts: { ...makeTask(id, 1).facts, state },
      });
      const createStarted = (id: string) => ({ plan: { id }, secrets: { token: id }, scripts: [makeScript(id)] });
      const makeScript = (id: string) => ({ sha256: `sha-${id}`, code: "1", sourceMap: "{}" });

      test("is pruned once enough others ended after it; its task stays, and the log's numbers go on", () => {
        const store = open();
        for (const [id, updated] of [
          ["old", 1],
          ["busy", 2],
          ["open", 3],
          ["late", 4],
          ["new", 5],
        ] as const) {
          const row = makeEnded(id, updated, id === "busy" ? "RUNNING" : "COMPLETED");
          const plan = { ...createStarted(id), plan: { id, script: `sha-${id}` } };
          store.commit(turn(store, row, { started: plan, effects: id === "open" ? [makeEffect(id, 1)] : [] }));
          store.appendHookLog(id, 1, ["a line"]);
        }
        expect(store.oldestSeq()).toBe(1);
        // The last word of the oldest: a late result that was dropped.
        store.commit({ ...turn(store, makeEnded("old", 1)), tasks: [] });
        expect(store.pruneEndedTasks(2)).toBe(1);
        expect(store.pruneEndedTasks(2)).toBe(0);
        expect(store.logAfter(0, 10).map(({ seq, taskId }) => [seq, taskId])).toEqual([
          [2, "busy"],
          [3, "open"],
          [4, "late"],
          [5, "new"],
          [6, "old"],
        ]);
        expect(store.oldestSeq()).toBe(2);
        expect([store.plan("old"), store.secret("old", "token"), store.script("sha-old")]).toEqual([null, null, null]);
        expect([store.hookLog("old", 9), store.effectsOf("old")]).toEqual([[], []]);
        expect(store.task("old")?.facts.state).toBe("COMPLETED");
        for (const id of ["busy", "open", "late", "new"]) {
          expect([store.plan(id)?.["id"], store.script(`sha-${id}`)?.sha256]).toEqual([id, `sha-${id}`]);
        }
        const { history } = store.opened;
        store.close();
        const next = open();
        expect([next.opened.rolledBack, next.opened.history, next.oldestSeq()]).toEqual([false, history, 2]);
      });

      test("that ended in the middle of others leaves the log whole from the number after it on", () => {
        const store = open();
        expect(store.oldestSeq()).toBe(1);
        const started = (id: string) => ({ started: createStarted(id) });
        store.commit(turn(store, makeEnded("long", 9, "RUNNING"), started("long")));
        store.commit(turn(store, makeEnded("short", 1), started("short")));
        store.commit(turn(store, makeTask("long", 2, { updated: 9 })));
        expect([store.pruneEndedTasks(0), store.oldestSeq(), store.logAfter(0, 9).length]).toEqual([1, 3, 2]);
        store.commit(turn(store, makeTask("long", 3, { updated: 9 })));
        expect(store.oldestSeq()).toBe(3);
      });
    });

    describeJournals(hooks, open);

    describe("the dashboard", () => {
      test("is what was put there last, in order, also after a close, and null where nothing was put", () => {
        const tile = { appId: "a", appName: "Alpha", widgetId: "w", title: "W", size: "small" as const };
        const tiles = [{ ...tile, widgetId: "z", size: "large" as const }, tile, { ...tile, appId: "b" }];
        const store = open();
        expect(store.dashboard()).toBeNull();
        store.keepDashboard(tiles);
        expect(store.dashboard()).toEqual(tiles);
        store.close();
        const again = open();
        expect(again.dashboard()).toEqual(tiles);
        again.keepDashboard([]);
        expect(again.dashboard()).toEqual([]);
        again.keepDashboard(null);
        expect(again.dashboard()).toBeNull();
      });
    });

    describe("what is kept outside of turns", () => {
      test("is there together, or not at all", () => {
        const store = open();
        const told = {
          type: "upgrade.available",
          id: "upgrade.a.2",
          at: 1,
          appId: "a",
          to: "2",
          readAt: null,
        } as const;
        const keep = () => {
          store.keepSettings("a", { k: 1 });
          store.keepDashboard([]);
          return store.keepNotification(told);
        };
        const fail = () => {
          keep();
          throw new Error("changed one's mind");
        };
        expect(() => store.together(fail)).toThrow("changed one's mind");
        expect([store.setting("a", "k"), store.dashboard(), store.notification(told.id)]).toEqual([null, null, null]);
        expect([store.together(keep), store.keepNotification(told)]).toEqual([true, false]);
        store.close();
        const again = open();
        expect([again.setting("a", "k"), again.dashboard(), again.notification(told.id)]).toEqual([1, [], told]);
      });
    });

    describe("the log of a hook", () => {
      test("keeps its newest 1,000 lines, of each task", () => {
        const store = open();
        store.commit(turn(store, makeTask("t", 1)));
        store.commit(turn(store, makeTask("other", 1)));
        store.appendHookLog("other", 1, ["kept"]);
        for (let block = 0; block < 11; block += 1) {
          store.appendHookLog(
            "t",
            block,
            Array.from({ length: 100 }, (_, line) => `${block}.${line}`),
          );
        }
        const lines = store.hookLog("t", 5_000);
        expect(lines).toHaveLength(1_000);
        expect([lines[0]?.line, lines.at(-1)?.line]).toEqual(["1.0", "10.99"]);
        expect(store.hookLog("other", 5)).toHaveLength(1);
        const newest = store.hookLog("t", 2);
        expect(newest.map(({ line }) => line)).toEqual(["10.98", "10.99"]);
        const older = store.hookLog("t", 2, newest[0]?.number);
        expect(older.map(({ line }) => line)).toEqual(["10.96", "10.97"]);
        expect(store.hookLog("t", 2, lines[0]?.number)).toEqual([]);
      });
    });
  });
}
