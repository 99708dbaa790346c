import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";

const question = (key: string, more: Record<string, unknown> = {}) => ({ question: "?", type: "text", key, ...more });
const SCRIPT = {
  installation_questions: [
    question("pw", { type: "password", installonly: true, required: true }),
    question("token", { installonly: true, default: "$RANDOM_STRING(12)" }),
    question("team"),
  ],
  app_values: {
    url: "db://u:$QUESTION(pw)@h",
    headers: ["x-token: $QUESTION(token)"],
    team: "$QUESTION(team)",
  },
};

describe("an update of an app installed by other means", () => {
  it("leaves alone what was made of answers nobody can give again, every time, and says so", async () => {
    const { engine, host, store } = await openWorld({ catalog: { demo: SCRIPT } });
    const { id } = await engine.install("demo", { answers: { pw: "first-secret", team: "red" } });
    await settledTask(engine, id);
    const values = () => host.script.world.instances.get("demo")?.values;
    const before = values();
    expect(before).toMatchObject({ url: "db://u:first-secret@h" });
    store.keepSettings("demo", { scriptVersion: null, answers: null, randoms: null });
    for (const team of ["blue", "green"]) {
      const task = await settledTask(engine, (await engine.update("demo", { answers: { team } })).id);
      expect(task).toMatchObject({ state: "COMPLETED", marks: ["answerLost: pw"] });
      expect(values()).toEqual({ ...before, team });
    }
  });
});
