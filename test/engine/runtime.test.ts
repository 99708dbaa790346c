import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StartRequest } from "../../src/engine/runtime.ts";
import { errand } from "../support/machines/errand.ts";
import {
  createHeldHandler,
  createInstantHandler,
  createTestFolder,
  createWorld,
  type World,
} from "../support/runtime-world.ts";

const ERRAND: StartRequest = {
  machine: "errand",
  input: { label: "bread" },
  kind: "update",
  appId: "shop",
  claim: "app:shop",
};

let folder: ReturnType<typeof createTestFolder>;
let worlds: World[];

beforeEach(() => {
  folder = createTestFolder();
  worlds = [];
});

afterEach(async () => {
  for (const world of worlds) await world.close();
  folder.remove();
});

function world(handlers: Parameters<typeof createWorld>[0]["handlers"]): World {
  const made = createWorld({ folder: folder.path, registry: [errand], handlers });
  worlds.push(made);
  return made;
}

describe("a task", () => {
  test("runs its effect after the commit and ends with the result", async () => {
    const run = createHeldHandler({ class: "idempotent" });
    const { runtime, store } = world({
      "errand.run": run,
      "errand.report": createInstantHandler({ type: "reported" }),
    });
    const started = runtime.start(ERRAND);
    expect(started).toMatchObject({ state: "RUNNING", label: "bread", progress: 50, waitingFor: { kind: "host" } });
    expect(run.calls.map(({ run: { effectId } }) => effectId)).toEqual([`${started.id}:1.0`]);
    expect(store.effect(`${started.id}:1.0`)).toMatchObject({ state: "intent", params: { label: "bread" } });

    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    const ended = await runtime.settled(started.id);
    expect(ended).toMatchObject({ state: "COMPLETED", progress: 100, marks: ["fresh"] });
    expect(store.effect(`${started.id}:1.0`)?.state).toBe("done");
    expect(store.timers(started.id)).toEqual([]);
  });
});
