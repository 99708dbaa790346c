/** The letter, row 5: `input` is offered again after a failure of a hook that has questions, and of no other. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { rawHook } from "../support/scripts/scripts.ts";

const MEDIA = "/mnt/tank/media";
const requirements = { locations: ["Media"], specifications: [], permissions: [], ports: [] };
const ask = (key: string, more: object = {}) => ({
  type: "question",
  id: key,
  question: { question: `The ${key}`, type: "text", key, required: true, ...more },
});
const INPUTS = [
  ask("name", { default: "admin" }),
  ask("pass", { type: "password" }),
  ask("folder", { type: "select", options: [{ text: "Media", value: "$LOCATION(Media)" }] }),
  ask("safe", { type: "boolean", required: false }),
];
const SCRIPT = `export async function run(ctx) {
  const given = ["name", "pass", "folder", "safe"].map((id) => ctx.getInput(id));
  ctx.log(given.slice(2).join(" "));
  if (given[1] !== "right") ctx.fail("the sign-in was refused");
}`;

async function install(inputs: readonly object[], more: object = {}) {
  const hook = rawHook({ id: "setup", events: ["onAfterInstall"], rerun: undefined, inputs, ...more });
  const demo = { requirements, hooks: [{ ...hook, scriptContent: SCRIPT }] };
  const { engine, store } = await openWorld({ catalog: { demo } });
  const { id } = await engine.install("demo");
  const hookTask = async () => (await settledTask(engine, id)).children[0];
  return { engine, store, id, hookTask };
}

describe("After a failure", () => {
  it("the questions can be answered once more, and what is left out keeps its value", async () => {
    const { engine, store, id, hookTask } = await install(INPUTS);
    const asking = await hookTask();
    const own = asking?.id ?? "";
    await engine.input(own, { name: "Ann", pass: "wrong", folder: MEDIA, safe: true });
    const failed = await hookTask();
    expect(failed?.commands).toEqual(["retry", "input", "skip", "cancel"]);
    expect(failed?.waitingFor?.detail).toEqual({
      choices: ["retry", "skip", "cancel"],
      inputs: [
        {
          id: "name",
          type: "question",
          question: {
            question: "The name",
            type: "text",
            key: "name",
            required: false,
            installonly: false,
            isSet: true,
          },
        },
        {
          id: "pass",
          type: "question",
          question: {
            question: "The pass",
            type: "password",
            key: "pass",
            required: false,
            installonly: false,
            isSet: true,
          },
        },
        expect.objectContaining({ question: expect.objectContaining({ options: [{ text: "Media", value: MEDIA }] }) }),
        expect.objectContaining({
          question: expect.objectContaining({
            type: "select",
            options: [
              { text: "Yes", value: true },
              { text: "No", value: false },
            ],
          }),
        }),
      ],
    });
    expect(JSON.stringify(store.logAfter(0, 1000))).not.toContain("wrong");
    await engine.input(own, { pass: "right" });
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    const lines = store.hookLog(own, 9).map(({ line }) => line);
    expect(lines).toEqual([`${MEDIA} true`, `${MEDIA} true`]);
  });

  it("nothing can be answered where nothing was asked", async () => {
    const { engine, hookTask } = await install([]);
    const failed = await hookTask();
    expect(failed?.commands).toEqual(["retry", "skip", "cancel"]);
    expect(failed?.waitingFor?.detail).toEqual({ choices: ["retry", "skip", "cancel"] });
    await expect(engine.input(failed?.id ?? "", {})).rejects.toMatchObject({ code: "TASK_REFUSED" });
  });
});
