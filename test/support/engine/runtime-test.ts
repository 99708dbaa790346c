/** `it` for tests of the runtime: a test has one folder for its database; the worlds it opens there close after it. */
import { test } from "vitest";
import type { StartRequest } from "../../../src/engine/runtime/runtime.ts";
import { helperTask, parentChild, pointTask } from "../machines/parent-child-machine.ts";
import { singleEffect } from "../machines/single-effect-machine.ts";
import {
  createHeldHandler,
  createTestFolder,
  createWorld,
  type HeldHandler,
  type World,
  type WorldOptions,
} from "./runtime-world.ts";

/** Starts the smallest task there is. */
export const SINGLE_EFFECT: StartRequest = {
  machine: "single-effect",
  input: { label: "bread" },
  kind: "update",
  appId: "shop",
};

/** Starts a task with two children. */
export const PARENT_CHILD: StartRequest = {
  machine: "parent-child",
  input: { chores: ["wash", "cook"] },
  kind: "install",
  appId: "home",
};

let folder: ReturnType<typeof createTestFolder>;
let worlds: World[] = [];

/** Opens a world on the test's folder. */
function openWorld(options: Omit<WorldOptions, "folder">): World {
  const world = createWorld({ folder: folder.path, ...options });
  worlds.push(world);
  return world;
}

/** A world for `SINGLE_EFFECT`, whose two effects the test answers. */
export function openSingleEffect(
  options: Partial<WorldOptions> = {},
): World & { readonly run: HeldHandler; readonly report: HeldHandler } {
  const run = createHeldHandler({ class: "local" });
  const report = createHeldHandler({ class: "local" });
  const handlers = { "work.run": run, "work.report": report };
  return { ...openWorld({ registry: [singleEffect], handlers, ...options }), run, report };
}

/** A world for `PARENT_CHILD`, whose children's work the test answers. */
export function openParentChild(): World & { readonly work: HeldHandler } {
  const work = createHeldHandler({ class: "local" });
  const registry = [parentChild, helperTask, pointTask];
  return { ...openWorld({ registry, handlers: { "helper.work": work } }), work };
}

export const it = test.extend(
  "closedWorlds",
  { auto: true },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed; none are
  ({}, { onCleanup }) => {
    folder = createTestFolder();
    onCleanup(async () => {
      const opened = worlds;
      worlds = [];
      for (const world of opened) await world.close();
      folder.remove();
    });
  },
);
