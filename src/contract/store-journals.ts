/** The contract of a `Store`'s journals. */
import type { Store } from "../engine/ports/store.ts";
import type { JournalWrite } from "../engine/ports/turn-rows.ts";
import { makeEffect, makeEntry, makeTask, turn } from "./store-rows.ts";
import type { TestHooks } from "./test-hooks.ts";

/** Declares the part of the suite on stores that `open` opens; again after a close, it is the same data. */
export function describeJournals({ describe, expect, test }: TestHooks, open: () => Store): void {
  const FENCED = expect.objectContaining({ code: "STORE_FENCED" });

  /** A store with a running effect for each task. */
  function openStoreWith(...taskIds: readonly string[]): Store {
    const store = open();
    for (const id of taskIds) store.commit(turn(store, makeTask(id, 1), { effects: [makeEffect(id, 1)] }));
    return store;
  }
  const end = (store: Store, id: string, journal?: JournalWrite) => {
    const consumed = { kind: "effect", id: `${id}:1.0` } as const;
    store.commit(turn(store, makeTask(id, 2), { consumed, ...(journal && { journal }) }));
  };
  const readKept = (store: Store, id: string) => {
    const { rows, head } = store.journal(`${id}:1.0`);
    return { seqs: rows.map(({ seq }) => seq), head, lines: store.hookLog(id, 10).map(({ line }) => line) };
  };
  const toNumbers = (array: Uint8Array | undefined) => (array === undefined ? null : [...array]);

  describe("the journal of a running hook", () => {
    test("is read as it was written, also by the next life; there is none before the first row", () => {
      const store = openStoreWith("t", "other");
      expect(store.journal("t:1.0")).toEqual({ rows: [], head: "" });
      const large = { sha256: "aa", bytes: Uint8Array.of(9, 0, 9) };
      const second = { sha256: "bb", bytes: Uint8Array.of(7) };
      store.writeJournals([
        makeEntry("t", 0, { bytes: new Uint8Array(), bodies: [second, large] }),
        makeEntry("other", 0),
        makeEntry("t", 1, { text: '"\u{1f6a2}\0"', bytes: Uint8Array.of(0, 255), bodies: [large] }),
      ]);
      store.close();
      const { rows, head } = open().journal("t:1.0");
      expect(head).toBe("digest 1");
      expect(rows.map(({ seq, text, digest }) => [seq, text, digest])).toEqual([
        [0, '["step",0]', "digest 0"],
        [1, '"\u{1f6a2}\0"', "digest 1"],
      ]);
      expect(rows.map((row) => toNumbers(row.bytes))).toEqual([[], [0, 255]]);
      expect(rows.map(({ bodies }) => bodies.map((body) => [body.sha256, toNumbers(body.bytes)]))).toEqual([
        [
          ["bb", [7]],
          ["aa", [9, 0, 9]],
        ],
        [["aa", [9, 0, 9]]],
      ]);
    });

    test("keeps rows in one line: what does not follow the last one is refused with everything beside it", () => {
      const store = openStoreWith("t", "other");
      store.writeJournals([makeEntry("t", 0)]);
      for (const seq of [0, 2]) {
        expect(() => store.writeJournals([makeEntry("other", 0), makeEntry("t", seq)])).toThrow(FENCED);
      }
      expect(() => store.writeJournals([makeEntry("other", 0), makeEntry("other", 0)])).toThrow(FENCED);
      expect([readKept(store, "t"), readKept(store, "other")]).toEqual([
        { seqs: [0], head: "digest 0", lines: ["line 0"] },
        { seqs: [], head: "", lines: [] },
      ]);
      store.writeJournals([]);
      store.writeJournals([makeEntry("t", 1), makeEntry("other", 0)]);
      expect([readKept(store, "t").seqs, readKept(store, "other").seqs]).toEqual([[0, 1], [0]]);
    });

    test("keeps the newest 1,000 lines of its task", () => {
      const store = openStoreWith("t");
      const makeLines = (from: number) => Array.from({ length: 800 }, (_, at) => `${from + at}`);
      store.writeJournals([
        { ...makeEntry("t", 0), lines: makeLines(0) },
        { ...makeEntry("t", 1), at: 77, lines: makeLines(800) },
      ]);
      const log = store.hookLog("t", 5_000);
      expect([log.length, log[0]?.line, log.at(-1)]).toEqual([
        1_000,
        "600",
        { at: 77, line: "1599", number: expect.any(Number) },
      ]);
    });

    test("is committed with the turn that takes a report of its run, or not at all", () => {
      const store = openStoreWith("t");
      store.commit(turn(store, makeTask("t", 2), { journal: makeEntry("t", 0) }));
      expect(() => store.commit(turn(store, makeTask("t", 3), { journal: makeEntry("t", 5) }))).toThrow(FENCED);
      expect(() => store.commit(turn(store, makeTask("t", 9), { journal: makeEntry("t", 1) }))).toThrow(FENCED);
      expect([store.task("t")?.rev, readKept(store, "t")]).toEqual([
        2,
        { seqs: [0], head: "digest 0", lines: ["line 0"] },
      ]);
    });

    test("goes with its effect's end or cancellation; an entry that comes then keeps its lines alone", () => {
      const store = openStoreWith("ended", "cancelled", "late", "goes on");
      store.writeJournals(["ended", "cancelled", "late", "goes on"].map((id) => makeEntry(id, 0)));
      end(store, "ended");
      store.commit(turn(store, makeTask("cancelled", 2), { cancelled: ["cancelled:1.0"] }));
      end(store, "late", makeEntry("late", 1));
      store.writeJournals([makeEntry("ended", 1), makeEntry("cancelled", 7)]);
      const gone = { seqs: [], head: "" };
      expect(["ended", "cancelled", "late", "goes on"].map((id) => readKept(store, id))).toEqual([
        { ...gone, lines: ["line 0", "line 1"] },
        { ...gone, lines: ["line 0", "line 7"] },
        { ...gone, lines: ["line 0", "line 1"] },
        { seqs: [0], head: "digest 0", lines: ["line 0"] },
      ]);
    });

    test("is dropped when asked, with its bodies and without its lines", () => {
      const store = openStoreWith("t");
      const bodies = [{ sha256: "aa", bytes: Uint8Array.of(1) }];
      store.writeJournals([makeEntry("t", 0, { bodies })]);
      store.dropJournal("t:1.0");
      store.dropJournal("t:1.0");
      expect(readKept(store, "t")).toEqual({ seqs: [], head: "", lines: ["line 0"] });
      store.writeJournals([makeEntry("t", 0, { bodies: [{ sha256: "aa", bytes: Uint8Array.of(2) }] })]);
      expect(toNumbers(store.journal("t:1.0").rows[0]?.bodies[0]?.bytes)).toEqual([2]);
    });

    test("is read in parts where it is large, each from the row it is asked for on", () => {
      const store = openStoreWith("t");
      const bytes = new Uint8Array(600_000);
      store.writeJournals([
        makeEntry("t", 0, { bytes }),
        makeEntry("t", 1, { bodies: [{ sha256: "aa", bytes }] }),
        makeEntry("t", 2),
      ]);
      const read = (from: number) => {
        const { rows, head } = store.journal("t:1.0", from);
        return [head, ...rows.map(({ seq, bodies }) => [seq, bodies.length])];
      };
      expect([read(0), read(2), read(3)]).toEqual([["digest 2", [0, 0], [1, 1]], ["digest 2", [2, 0]], ["digest 2"]]);
    });

    test("is told of once for each time it has grown", () => {
      const store = openStoreWith("a", "b");
      store.writeJournals([makeEntry("a", 0), makeEntry("b", 0)]);
      expect(store.takeGrownJournals()).toEqual(new Set(["a", "b"]));
      store.writeJournals([makeEntry("b", 1)]);
      store.close();
      const next = open();
      expect([next.takeGrownJournals(), next.takeGrownJournals()]).toEqual([new Set(["b"]), new Set()]);
    });

    test("knows the last sign of the life that wrote its last row, however many lives come after it", () => {
      const store = openStoreWith("t");
      store.writeJournals([makeEntry("t", 0)]);
      expect(store.journalAliveAt("t:1.0")).toBeNull();
      const lives = [store];
      for (const at of [5_000, 9_000]) {
        lives.at(-1)?.heartbeat(at);
        lives.at(-1)?.close();
        const next = open();
        next.takeGrownJournals();
        expect(next.journalAliveAt("t:1.0")).toBe(5_000);
        lives.push(next);
      }
      lives.at(-1)?.writeJournals([makeEntry("t", 1)]);
      expect([lives.at(-1)?.journalAliveAt("t:1.0"), lives.at(-1)?.journalAliveAt("none")]).toEqual([null, null]);
    });

    test("is to be erased when it has gone, and so is what a tree that ended leaves", () => {
      const store = openStoreWith("t", "ended");
      store.writeJournals([makeEntry("t", 0)]);
      expect(store.holdsDeleted()).toBe(false);
      end(store, "t");
      expect(store.holdsDeleted()).toBe(true);
      store.eraseDeleted();
      expect(store.holdsDeleted()).toBe(false);
      const ended = { ...makeTask("ended", 2), facts: { ...makeTask("ended", 2).facts, state: "COMPLETED" as const } };
      const consumed = { kind: "effect", id: "ended:1.0" } as const;
      store.commit(turn(store, ended, { consumed, started: { plan: {} } }));
      expect([store.holdsDeleted(), store.pruneEndedTasks(1), store.holdsDeleted()]).toEqual([false, 0, false]);
      expect([store.pruneEndedTasks(0), store.holdsDeleted()]).toEqual([1, true]);
    });
  });
}
