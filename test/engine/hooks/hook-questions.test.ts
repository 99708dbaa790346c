import { expect, it, vi } from "vitest";
import type { JsonObject } from "../../../src/core/json/json.ts";
import { HookQuestions } from "../../../src/engine/effects/hook/hook-questions.ts";

/** The questions of a run whose notes are kept. */
function openQuestions() {
  let note: JsonObject | null = null;
  const run = {
    get note() {
      return note;
    },
    writeNote: (written: JsonObject) => {
      note = written;
    },
  };
  return { questions: new HookQuestions(run), run };
}

it("asks once what a script asks twice at once, and keeps the decision", async () => {
  const { questions, run } = openQuestions();
  const tell = vi.fn(async () => {});
  const asked = Promise.all([questions.ask("checkpoint a", tell), questions.ask("checkpoint a", tell)]);
  await expect.poll(() => tell).toHaveBeenCalled();
  questions.decide("checkpoint a", "retry");
  expect(await asked).toEqual(["retry", "retry"]);
  expect(tell).toHaveBeenCalledTimes(1);
  expect(run.note).toEqual({ decided: { about: "checkpoint a", choice: "retry" } });
});

it("asks anew what was decided before, and one question after the other", async () => {
  const { questions } = openQuestions();
  const told: string[] = [];
  const ask = (about: string) => questions.ask(about, async () => void told.push(about));
  for (const choice of ["retry", "skip"] as const) {
    const first = ask("checkpoint a");
    const second = ask("checkpoint b");
    await expect.poll(() => told.length).toBe(1);
    questions.decide("checkpoint a", choice);
    expect(await first).toBe(choice);
    await expect.poll(() => told.length).toBe(2);
    questions.decide("checkpoint b", "skip");
    expect(await second).toBe("skip");
    expect(told.splice(0)).toEqual(["checkpoint a", "checkpoint b"]);
  }
});
