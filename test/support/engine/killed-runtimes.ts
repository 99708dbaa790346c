/** `it` for tests of what a kill leaves: a test has one database and one clock, for one runtime after the other. */
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EffectHandler, RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { singleEffect } from "../machines/single-effect-machine.ts";
import { createTestClock, type TestClock } from "../test-clock.ts";
import { SINGLE_EFFECT } from "./runtime-test.ts";
import { createHeldHandler, createTestFolder, createWorld, type HeldHandler, type World } from "./runtime-world.ts";

let folder: ReturnType<typeof createTestFolder>;
let clock: TestClock;
let worlds: World[] = [];

export interface OpenOptions {
  readonly handler?: Partial<EffectHandler>;
  readonly machine?: RegisteredMachine;
}

/** A runtime on the test's database, whose effects the test answers. */
export function open(options: OpenOptions = {}): World & { readonly run: HeldHandler; readonly report: HeldHandler } {
  const run = createHeldHandler({ class: "local", ...options.handler });
  const report = createHeldHandler({ class: "local" });
  const handlers = { "work.run": run, "work.report": report };
  const registry = [options.machine ?? singleEffect];
  const world = createWorld({ folder: folder.path, registry, handlers, clock });
  worlds.push(world);
  return { ...world, run, report };
}

/**
 * Ends a runtime as a kill does: the next one finds the files as they were at this moment. The files are copied while the
 * database is open, so that nothing of a clean stop is in them.
 */
export async function kill(world: World): Promise<void> {
  const image = createTestFolder();
  for (const name of readdirSync(folder.path)) {
    if (!/-shm$|\.lock/.test(name)) copyFileSync(join(folder.path, name), join(image.path, name));
  }
  await world.close();
  folder.remove();
  folder = image;
}

/** Kills a runtime while its task's effect is under way; answers the task's id. */
export async function interrupted(options?: OpenOptions): Promise<string> {
  const world = open(options);
  const { id } = world.runtime.start(SINGLE_EFFECT);
  await expect.poll(() => world.run.calls.length).toBe(1);
  await kill(world);
  return id;
}

/** Where the database is now: a kill moves it. */
export function databaseFolder(): string {
  return folder.path;
}

export const it = test.extend(
  "closedRuntimes",
  { auto: true },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed; none are
  ({}, { onCleanup }) => {
    folder = createTestFolder();
    clock = createTestClock();
    onCleanup(async () => {
      const opened = worlds;
      worlds = [];
      for (const world of opened) await world.close();
      folder.remove();
    });
  },
);
