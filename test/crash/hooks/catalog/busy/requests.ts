import type { HookContext } from "slipway/hook-api";
import { ask, call } from "./app.ts";

/** One call after the other, each with what the one before answered. */
export async function sequence(ctx: HookContext): Promise<void> {
  await inSequence(ctx, "sequence");
}

/** The same for a hook that may be run again, so that nobody is asked. */
export async function convergent(ctx: HookContext): Promise<void> {
  await inSequence(ctx, "convergent");
}

async function inSequence(ctx: HookContext, name: string): Promise<void> {
  await ctx.registerCheckpoints([1, 2, 3].map((n) => ({ id: `made-${n}`, message: `Making ${n}` })));
  const list = await ask(ctx, "GET", `${name}-list`);
  let last = list.name;
  for (const n of [1, 2, 3]) {
    const made = await ask(ctx, "POST", `${name}-make-${n}`, { after: last });
    await call(ctx, "PUT", `${name}-set-${n}`, { made: made.body });
    await ctx.emitCheckpoint(`made-${n}`, `Made ${n}`);
    ctx.log(`made ${made.name} after ${made.body}`);
    last = made.name;
  }
  ctx.log((await ask(ctx, "PATCH", `${name}-patch`, { last })).body);
  ctx.log((await call(ctx, "DELETE", `${name}-drop`, undefined, { status: 404 })).status);
}

/** All at once, some of them broken off; a request that is cut after it arrived has an outcome too. */
export async function parallel(ctx: HookContext): Promise<void> {
  const answers = await Promise.all([
    ask(ctx, "GET", "parallel-1", undefined, { ms: 40 }),
    ask(ctx, "POST", "parallel-2", { n: 2 }, { ms: 5 }),
    ask(ctx, "PUT", "parallel-3", { n: 3 }, { ms: 60 }),
    ask(ctx, "POST", "parallel-4", { n: 4 }, { ms: 25 }),
    ask(ctx, "DELETE", "parallel-5", undefined, { ms: 15 }),
    ctx.emitCheckpoint("under-way", "All are under way").then(() => ({ name: "checkpoint", body: "" })),
  ]);
  ctx.log(answers.map(({ name }) => name).join());
  const settled = await Promise.allSettled([
    call(ctx, "POST", "parallel-cut", { n: 6 }, { cut: true }),
    call(ctx, "GET", "parallel-cut-get", undefined, { cut: true, ms: 30 }),
    ask(ctx, "POST", "parallel-7", { n: 7 }, { ms: 45 }),
  ]);
  for (const { status, ...rest } of settled) {
    ctx.log(status, "reason" in rest ? `${rest.reason.name} ${rest.reason.message}` : "");
  }
}

/** What comes first decides what is sent next, and the rest is given up. */
export async function race(ctx: HookContext): Promise<void> {
  const late = new AbortController();
  const slow = ask(ctx, "GET", "race-slow", undefined, { ms: 5_000 }, late.signal).then(
    () => "request",
    (error: Error) => error.name,
  );
  ctx.log(await Promise.race([slow, ctx.sleep(60).then(() => "sleep")]));
  late.abort();
  ctx.log(await slow);
  const first = await Promise.race([1, 2, 3].map((n) => ask(ctx, "GET", `race-${n}`, undefined, { ms: 20 })));
  const chosen = await ask(ctx, "PUT", "race-chosen", { first: first.name });
  const any = await Promise.any([
    call(ctx, "GET", "race-cut", undefined, { cut: true, ms: 1 }).then(() => "cut"),
    ask(ctx, "POST", "race-post", { first: first.name }).then(({ name }) => name),
  ]);
  ctx.log(any, JSON.parse(chosen.body).first === first.name);
}

/** Tries again, with longer pauses, until the app has it. */
export async function retries(ctx: HookContext): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const status = attempt < 4 ? 503 : 201;
    const answer = await call(ctx, attempt % 2 === 0 ? "POST" : "PUT", `retries-${attempt}`, { attempt }, { status });
    await ctx.updateCheckpointMessage("done", `Attempt ${attempt}`);
    ctx.log(`attempt ${attempt}: ${answer.status}`);
    if (answer.ok) break;
    await ctx.sleep(10 * attempt);
  }
  await ctx.emitCheckpoint("done", "Done", 90);
}

/** Gives up what a person gives up, and finds out what became of it. */
export async function given(ctx: HookContext): Promise<void> {
  for (const n of [1, 2, 3, 4]) {
    try {
      await ask(ctx, "POST", `given-${n}`, { n }, { ms: 30 });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "outcome_unknown")) throw error;
      await ask(ctx, "GET", `given-look-${n}`);
    }
    ctx.log(`given ${n}`);
  }
}

/** Fails the first time, and is run again from its beginning by itself. */
export async function flaky(ctx: HookContext): Promise<void> {
  const { body } = await ask(ctx, "GET", "state-flaky");
  const attempt = body === "" ? 1 : 2;
  await ctx.emitCheckpoint(`attempt-${attempt}`);
  await ask(ctx, "POST", `flaky-${attempt}`, { attempt });
  ctx.log(`attempt ${attempt}`);
  if (attempt === 2) return;
  await call(ctx, "PUT", "state-flaky", "tried");
  throw new Error("not the first time");
}

/** Ends with a failure, after a floating rejection. */
export async function failing(ctx: HookContext): Promise<void> {
  await ctx.emitCheckpoint("begun");
  const { body } = await ask(ctx, "POST", "failing-make", { n: 1 });
  void Promise.reject(new Error("nobody waits for this"));
  await ctx.sleep(15);
  ctx.fail("It can't be done", [{ label: "body", value: body }]);
}
