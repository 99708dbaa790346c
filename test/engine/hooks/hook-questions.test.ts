import { expect, it, vi } from "vitest";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";
import { HookQuestions } from "../../../src/engine/effects/hook/hook-questions.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { createTestClock } from "../../support/test-clock.ts";

/** The questions of a run whose notes are kept, while the disk has room. */
function openQuestions() {
  let note: JsonObject | null = null;
  const disk = { isFull: false };
  const clock = createTestClock();
  const run = {
    signal: new AbortController().signal,
    get note() {
      return note;
    },
    writeNote: (written: JsonObject) => {
      if (disk.isFull) throw new EngineError("STORE_FULL", "disk is full");
      note = written;
    },
  };
  return { questions: new HookQuestions(run, { clock, logger: SILENT_LOGGER }), run, disk, clock };
}

it("asks once what a script asks twice at once, and keeps the decision", async () => {
  const { questions, run } = openQuestions();
  const tell = vi.fn(async () => {});
  const asked = Promise.all([questions.ask("checkpoint a", tell), questions.ask("checkpoint a", tell)]);
  await expect.poll(() => tell).toHaveBeenCalled();
  questions.decide("checkpoint a", "retry", "answer 1");
  expect(await asked).toEqual(["retry", "retry"]);
  expect(tell).toHaveBeenCalledTimes(1);
  expect(run.note).toEqual({ decisions: [{ about: "checkpoint a", choice: "retry", by: "answer 1", isOver: false }] });
});

it("asks anew what was decided before, and one question after the other", async () => {
  const { questions } = openQuestions();
  const told: string[] = [];
  const ask = (about: string) => questions.ask(about, async () => void told.push(about));
  for (const choice of ["retry", "skip"] as const) {
    const first = ask("checkpoint a");
    const second = ask("checkpoint b");
    await expect.poll(() => told.length).toBe(1);
    questions.decide("checkpoint a", choice, `a ${choice}`);
    expect(await first).toBe(choice);
    await expect.poll(() => told.length).toBe(2);
    questions.decide("checkpoint b", "skip", `b ${choice}`);
    expect(await second).toBe("skip");
    expect(told.splice(0)).toEqual(["checkpoint a", "checkpoint b"]);
  }
});

it("keeps every decision for the next life, not only the last", async () => {
  const { questions, run, clock } = openQuestions();
  questions.decide("checkpoint a", "retry", "answer 1");
  questions.decide("request 7 1", "skip", "answer 2");
  const next = new HookQuestions(run, { clock, logger: SILENT_LOGGER });
  const tell = vi.fn(async () => {});
  expect(await Promise.all([next.askAgain("checkpoint a", tell), next.askAgain("request 7 1", tell)])).toEqual([
    "retry",
    "skip",
  ]);
  expect(tell).not.toHaveBeenCalled();
});

it("takes a decision once, also where it is brought again after what it answered was asked anew", async () => {
  const { questions, run, clock } = openQuestions();
  questions.decide("checkpoint a", "retry", "answer 1");
  const next = new HookQuestions(run, { clock, logger: SILENT_LOGGER });
  expect(await next.askAgain("checkpoint a", async () => {})).toBe("retry");
  const tell = vi.fn(async () => {});
  const second = next.ask("checkpoint a", tell);
  await expect.poll(() => tell).toHaveBeenCalled();
  next.decide("checkpoint a", "retry", "answer 1");
  next.decide("checkpoint a", "skip", "answer 2");
  expect(await second).toBe("skip");
});

it("puts a question once a full disk has room, and takes a decision again that was not kept", async () => {
  const { questions, run, disk, clock } = openQuestions();
  const tell = vi.fn(async () => {});
  const first = questions.ask("checkpoint a", tell);
  await vi.waitUntil(() => tell.mock.calls.length === 1);
  disk.isFull = true;
  expect(() => questions.decide("checkpoint a", "retry", "answer 4")).toThrow("disk is full");
  disk.isFull = false;
  questions.decide("checkpoint a", "retry", "answer 4");
  expect(await first).toBe("retry");
  disk.isFull = true;
  const second = questions.ask("checkpoint a", tell);
  await vi.waitUntil(() => clock.sleeping() === 1);
  expect(tell).toHaveBeenCalledTimes(1);
  disk.isFull = false;
  clock.advance(1_000);
  await vi.waitUntil(() => tell.mock.calls.length === 2);
  expect(run.note).toEqual({ decisions: [{ about: "checkpoint a", choice: "retry", by: "answer 4", isOver: true }] });
  questions.decide("checkpoint a", "skip", "answer 5");
  expect(await second).toBe("skip");
});
