/** The tools of engine developers, on a database a real runtime wrote. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machines } from "../../machines/index.ts";
import { openReader } from "../../src/adapters/store-sqlite/open-store.ts";
import { drawMachine } from "../../src/engine/replay/diagram.ts";
import { replayTask } from "../../src/engine/replay/replay.ts";
import type { EffectHandler, RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { runCommand } from "../support/command-line.ts";
import { createTestFolder, createWorld } from "../support/engine/runtime-world.ts";
import { singleEffect } from "../support/machines/single-effect-machine.ts";

let folder: ReturnType<typeof createTestFolder>;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => {
  folder.remove();
});

const instant: EffectHandler = { class: "idempotent", perform: async () => ({ type: "host.done", answer: "fresh" }) };

async function runSingleEffect(): Promise<string> {
  const { runtime, close } = createWorld({
    folder: folder.path,
    registry: [singleEffect],
    handlers: { "work.run": instant, "work.report": instant },
  });
  const { id } = runtime.start({ machine: "single-effect", input: { label: "bread" }, kind: "update", appId: "shop" });
  await runtime.settled(id);
  await close();
  return id;
}

describe("replayTask", () => {
  async function replay(machine: RegisteredMachine, tamper = "") {
    const id = await runSingleEffect();
    const file = join(folder.path, "slipway.db");
    if (tamper !== "") new Database(file).exec(tamper).close();
    const reads = openReader(file);
    try {
      const row = reads.task(id);
      if (row === null) throw new Error("the task is gone");
      return replayTask(reads, { "single-effect": machine }, row);
    } finally {
      reads.close();
    }
  }

  test("agrees with what the same machine did", async () => {
    expect(await replay(singleEffect)).toMatchObject({ machine: "single-effect", steps: 2, difference: null });
  });

  test.each([
    ["a changed event", `UPDATE log SET event = replace(event, 'fresh', 'stale')`, { rev: 2, what: "effects" }],
    ["a changed effect", `UPDATE effects SET params = '{"label":"cake"}'`, { rev: 1, what: "effects" }],
    ["a changed snapshot", `UPDATE log SET digest = 'x' WHERE rev = 2`, { rev: 2, what: "snapshot" }],
    ["an unknown event", `UPDATE log SET event = '{"type":"no.such"}' WHERE rev = 2`, { rev: 2, what: "state" }],
  ])("names step and place of %s", async (_, tamper, difference) => {
    expect((await replay(singleEffect, tamper)).difference).toMatchObject(difference);
  });

  test("says which machine this build lacks", async () => {
    const { difference } = await replay({ ...singleEffect, id: "single-effect" }, `UPDATE tasks SET machine = 'gone'`);
    expect(difference).toMatchObject({ what: "fault", replayed: 'this build has no machine "gone"' });
  });
});

describe("drawMachine", () => {
  test.each(Object.values(machines))("shows every state, event and delay of $id", ({ machine }) => {
    const drawn = drawMachine(machine);
    const { on: _, ...config } = machine.config;
    const keys = (node: object): string[] =>
      Object.entries("states" in node ? (node.states as Record<string, object>) : {}).flatMap(([key, state]) => [
        key,
        ...keys(state),
      ]);
    for (const key of keys(config)) expect(drawn).toContain(`state "${key}" as`);
    for (const event of machine.events) {
      const after = /^xstate\.after\.([^.]+)\./.exec(String(event))?.[1];
      expect(drawn).toContain(after === undefined ? String(event) : `after ${after}`);
    }
    if (JSON.stringify(config).includes('"always"')) expect(drawn).toContain(" : always");
  });
});

describe("slipway replay and slipway diagram", () => {
  /** A run of a machine every build has. */
  async function runCheckpoint(): Promise<{ readonly file: string; readonly id: string }> {
    const { runtime, close } = createWorld({ folder: folder.path, registry: [machines.checkpoint], handlers: {} });
    const input = { checkpoint: "c", message: "reached" };
    const { id } = runtime.start({
      machine: "checkpoint",
      input,
      kind: "update",
      appId: "shop",
    });
    runtime.send(id, { type: "script.completed", message: null });
    await close();
    return { file: join(folder.path, "slipway.db"), id };
  }

  test("replay exits 0 when every step is as stored", async () => {
    const { file, id } = await runCheckpoint();
    const { exitCode, stdout } = await runCommand("replay", file, id, "--format", "json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ tasks: [{ taskId: id, machine: "checkpoint", steps: 2, difference: null }] });
  });

  test("replay exits 1 and names the step that differs", async () => {
    const { file, id } = await runCheckpoint();
    new Database(file).exec("UPDATE log SET digest = 'x' WHERE rev = 2").close();
    const { exitCode, stdout } = await runCommand("replay", file, id);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('differs at step 2 (log entry 2, event "script.completed") in its snapshot');
  });

  test("replay exits 2 for an unknown task and for a missing database", async () => {
    const { file } = await runCheckpoint();
    expect(await runCommand("replay", file, "nobody")).toMatchObject({ exitCode: 2, stdout: "" });
    const missing = await runCommand("replay", join(folder.path, "none.db"), "nobody", "--format", "json");
    expect(missing.exitCode).toBe(2);
    expect(JSON.parse(missing.stdout).error.code).toBe("STORE_CANNOT_OPEN");
  });

  test("diagram prints Mermaid as text and the machine's config as JSON", async () => {
    expect((await runCommand("diagram", "checkpoint")).stdout).toMatch(/^%% checkpoint \d+\nstateDiagram-v2\n/);
    const { stdout } = await runCommand("diagram", "--format", "json");
    const { machines: shown }: { machines: { id: string; config: { initial: string } }[] } = JSON.parse(stdout);
    expect(shown.map(({ id }) => id)).toEqual(Object.keys(machines));
    for (const { config } of shown) expect(config.initial).toEqual(expect.any(String));
    expect((await runCommand("diagram", "no-such")).exitCode).toBe(2);
  });
});
