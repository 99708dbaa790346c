/** What a whole engine does with the room of pruned trees once nobody is at work. */
import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { createTestClock } from "../../support/test-clock.ts";

/** Of a plan, in texts of at most 64 KB each. */
const LARGE = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`text-${at}`, String(at % 10).repeat(60_000)]));

it("an idle engine gives the room of pruned trees back, step by step, and not while a task is at work", async () => {
  const grown = await openWorld({ catalog: { demo: { app_values: { demo: LARGE } } }, host: { deployingFor: 0 } });
  const comeAndGo = async ({ engine }: Pick<typeof grown, "engine">) => {
    await settledTask(engine, (await engine.install("demo")).id);
    await settledTask(engine, (await engine.uninstall("demo")).id);
  };
  for (let times = 0; times < 7; times += 1) await comeAndGo(grown);
  await settledTask(grown.engine, (await grown.engine.install("demo")).id);
  const readUsed = async ({ engine }: Pick<typeof grown, "engine">) => (await engine.health()).store.size?.used ?? 0;
  const before = await readUsed(grown);
  const clock = createTestClock(Date.now());
  const world = await grown.restart({ clock, kept: { trees: 1 } });
  const { engine, host, file } = world;
  const release = host.script.hold("app.delete");
  const { id } = await engine.uninstall("demo");
  await expect.poll(() => host.script.changes().at(-1)?.method).toBe("app.delete");
  const used = await readUsed(world);
  expect(used).toBeLessThan(before / 2);
  const reader = new Database(file, { readonly: true });
  const countPages = () => Number(reader.pragma("page_count", { simple: true }));
  const pages = countPages();
  clock.advance(60_000);
  expect(countPages()).toBe(pages);
  release();
  await settledTask(engine, id);
  clock.advance(2_000);
  const first = countPages();
  // The first of many steps: 128 pages, and one that has said where they were.
  expect([first < pages, first >= pages - 129]).toEqual([true, true]);
  clock.advance(10_000);
  reader.close();
  expect(statSync(file).size).toBeLessThan(2 * used);
  expect(await readUsed(world)).toBeLessThan(statSync(file).size);
});
