/** `it` for tests with engines: one sandbox for a process of tests, and every world a test opens is closed after it. */
import { test } from "vitest";
import { createEngineWorld, createTestSandbox, type EngineWorld, type EngineWorldOptions } from "./engine-world.ts";

/** Closed after the last file of the process. */
export const sandbox = createTestSandbox();

interface Closable {
  close(): Promise<void>;
}

let opened: Closable[] = [];

/** Opens a world whose hooks run in the file's sandbox. */
export async function openWorld(options: EngineWorldOptions): Promise<EngineWorld> {
  return keep(await createEngineWorld({ ...options, engine: { sandbox, ...options.engine } }));
}

/** Closes what stands on a world, such as a server, when the test has ended and before the world. */
export function closeAfterTest<One extends Closable>(one: One): One {
  opened.push(one);
  return one;
}

function keep(world: EngineWorld): EngineWorld {
  return {
    ...closeAfterTest(world),
    restart: async (changes) => keep(await world.restart(changes)),
    restore: async (backup) => keep(await world.restore(backup)),
    crash: async () => keep(await world.crash()),
    copy() {
      const putBack = world.copy();
      return async () => keep(await putBack());
    },
  };
}

export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed; none are
  .extend("closedSandbox", { scope: "worker", auto: true }, ({}, { onCleanup }) => {
    onCleanup(() => sandbox.close());
  })
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend("closedWorlds", { auto: true }, ({}, { onCleanup }) => {
    onCleanup(async () => {
      // the newest first: a world that was restarted shares its folder with the next
      const closables = opened.toReversed();
      opened = [];
      for (const one of closables) await one.close();
    });
  });
