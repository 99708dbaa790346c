import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import type { HookContext } from "slipway/hook-api";
import { ask, call } from "./app.ts";

/** Time and chance: what was sent is what the script still knows. */
export async function chance(ctx: HookContext): Promise<void> {
  let before = Date.now();
  for (const n of [1, 2, 3]) {
    const sent = {
      id: crypto.randomUUID(),
      bytes: randomBytes(8).toString("hex"),
      values: [...crypto.getRandomValues(new Uint8Array(4))],
      chance: [Math.random(), Math.random()],
      at: Date.now(),
      mark: performance.now(),
    };
    const { body } = await ask(ctx, n === 2 ? "POST" : "PUT", `chance-${n}`, sent);
    ctx.log(`same: ${body === JSON.stringify(sent)}, forward: ${Date.now() >= before}`);
    before = Date.now();
  }
  // long enough to be somewhere else after a restart if it were drawn anew
  if (Math.random() < 0.5) await ask(ctx, "GET", "chance-heads");
  else await ask(ctx, "POST", "chance-tails", {});
}

/** Files and databases that change while the script reads them. */
export async function files(ctx: HookContext): Promise<void> {
  const folder = ctx.mounts[0]!.localPath;
  const read = () => readFileSync(`${folder}/token`, "utf8");
  const count = () => {
    using db = new Database(`${folder}/app.db`);
    return db.query<{ n: number }>("SELECT n FROM counts").get()?.n;
  };
  const kept = new Database(`${folder}/fixed.db`);
  for (const n of [1, 2, 3]) {
    const [token, counted] = [read(), count()];
    await call(ctx, "PUT", `files-bump-${n}`, { version: n });
    const found = kept.query<{ name: string }>("SELECT name FROM names WHERE n = ?").get(n)?.name;
    ctx.log(token, counted, found, readdirSync(folder).toSorted().join());
    await call(ctx, "PUT", `files-told-${n}`, { token, counted });
  }
  try {
    readFileSync(`${folder}/nothing`);
  } catch (error) {
    ctx.log(error instanceof Error ? error.message.replace(folder, "") : "");
  }
  kept.close();
  ctx.log(read(), count());
}

/** Timers in the order they are due, not in that of their making. */
export async function timers(ctx: HookContext): Promise<void> {
  const due: number[] = [];
  await Promise.all([90, 30, 60].map((ms) => new Promise<void>((done) => {
    setTimeout(() => {
      due.push(ms);
      done();
    }, ms);
  })));
  ctx.log(due.join());
  let ticks = 0;
  const never = setTimeout(() => ctx.log("never"), 40);
  await new Promise<void>((done) => {
    const tick = setInterval(() => {
      ticks += 1;
      if (ticks < 3) return;
      clearInterval(tick);
      done();
    }, 10);
    clearTimeout(never);
  });
  ctx.log(ticks);
  await call(ctx, "PUT", "timers-done", { due });
}

/** Asks people, more than once about the same. */
export async function persons(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([
    { id: "one", message: "One" },
    { id: "two", message: "Two" },
  ]);
  for (const n of [1, 2, 3]) {
    await ask(ctx, "POST", `persons-${n}`, { n });
    const choice = await ctx.awaitCheckpointRetry("one", n < 3 ? "press retry" : "press skip", [
      { label: "n", value: n },
    ]);
    ctx.log(n, choice);
    if (choice === "skip") break;
  }
  await ctx.emitCheckpoint("two");
}

/** A person is asked while other work goes on. */
export async function beside(ctx: HookContext): Promise<void> {
  const [choice, made, woken] = await Promise.all([
    ctx.awaitCheckpointRetry("both", "press retry"),
    ask(ctx, "POST", "beside-post", {}, { ms: 70 }).then(({ name }) => name),
    ctx.sleep(80).then(() => "slept"),
  ]);
  ctx.log(choice, made, woken);
  await ctx.emitCheckpoint("both");
}

/** Everything a task can be told, awaited or not. */
export async function reports(ctx: HookContext): Promise<void> {
  await ctx.registerCheckpoints([1, 2, 3, 4].map((n) => ({ id: `step-${n}`, message: `Step ${n}` })));
  void ctx.emitCheckpoint("step-1", "First", 10);
  void ctx.updateCheckpointMessage("step-2", "Second, soon");
  void ctx.setProgress(30);
  await call(ctx, "PUT", "reports-1");
  await ctx.skipCheckpoint("step-2", "Not needed");
  ctx.log("in between");
  void ctx.emitCheckpoint("step-3");
  await ctx.setProgress(60);
  await call(ctx, "POST", "reports-2", {});
  void ctx.emitCheckpoint("step-4", "Last", 80);
  ctx.log("at the end");
}

/** Waits for the app, and for what the engine knows of others. */
export async function waits(ctx: HookContext): Promise<void> {
  const answer = await ctx.waitForApp("/ready", { initialDelayMs: 10 });
  ctx.log(answer.status, await ctx.getInstalledAppUrl("nobody"), (await ctx.getInstalledAppUrl("busy")) === ctx.baseUrl);
  await call(ctx, "PUT", "waits-done", {});
}
