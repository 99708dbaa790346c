/** Engines that are closed or die while hooks run: every one goes on where it was (docs/hooks.md, "After a restart"). */
import { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { describe, expect } from "vitest";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import { findAskedCheckpoint, findAskedRequest } from "../../../src/core/task/waiting.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import type { Routes } from "../../sandbox/app-server.ts";
import { it, sandbox } from "../../support/engine/engine-test.ts";
import { settledTask, until } from "../../support/engine/engine-world.ts";
import { action, arrival, linesOf, openApp, received } from "./app-actions.ts";

describe("an engine closed in the midst of 50 hooks", () => {
  it("has every one go on, with nothing lost and nothing done twice", async () => {
    const steps = [1, 2, 3, 4];
    const half = arrival();
    let came = 0;
    const answer = () => {
      came += 1;
      if (came === 60) half.arrive();
      return { status: 201 };
    };
    const names = Array.from({ length: 50 }, (_, n) => `hook-${n}`);
    const paths = names.flatMap((name) => steps.map((step) => `/${name}/${step}`));
    const { app, world } = await openApp(
      Object.fromEntries(paths.map((path) => [`POST ${path}`, answer])),
      names.map((name) =>
        action(
          name,
          `for (const step of ${JSON.stringify(steps)}) {
             await fetch(ctx.baseUrl + "/${name}/" + step, { method: "POST" });
             await ctx.emitCheckpoint("step-" + step);
             ctx.log(step);
             await ctx.sleep(20);
           }`,
        ),
      ),
    );
    const ids = await Promise.all(names.map(async (name) => (await world.engine.runAction("demo", name)).id));
    await half.promise;
    const next = await world.restart();
    for (const id of ids) {
      const task = await next.engine.settled(id);
      expect(task).toMatchObject({ state: "COMPLETED", checkpoints: steps.map(() => ({ state: "COMPLETED" })) });
      expect(linesOf(next, id).filter((line) => !line.startsWith("[slipway]"))).toEqual(steps.map(String));
    }
    expect(app.received.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    const wentOn = ids.filter((id) => linesOf(next, id).includes("[slipway] went on after a restart"));
    expect(wentOn.length).toBeGreaterThan(0);
  });
});

describe("an engine that dies while a person is asked about a request", () => {
  const body = `
    ctx.log("before");
    try {
      const answer = await fetch(ctx.baseUrl + "/users", { method: "POST", body: "ada" });
      ctx.log("status", answer.status);
    } catch (error) {
      ctx.log(error.code);
    }
    await ctx.emitCheckpoint("told");`;

  async function openAsking() {
    const first = arrival();
    let sent = 0;
    const route = () => {
      sent += 1;
      first.arrive();
      return sent === 1 ? null : { status: 201 };
    };
    const { app, world } = await openApp({ "POST /users": route }, [action("add", body)]);
    const { id } = await world.engine.runAction("demo", "add");
    await first.promise;
    const asking = await world.crash();
    const request = { method: "POST", url: `${app.url}/users`, at: expect.any(String) };
    const asked = await settledTask(asking.engine, id);
    expect(asked.state).toBe("AWAITING_RETRY");
    expect(findAskedRequest(asked.waitingFor)).toEqual(request);
    const again = await asking.crash();
    const still = await settledTask(again.engine, id);
    expect(findAskedRequest(still.waitingFor)).toEqual(findAskedRequest(asked.waitingFor));
    return { app, world: again, id };
  }

  it("asks the same after the next start, and Retry sends it once more", async () => {
    const { app, world, id } = await openAsking();
    await world.engine.retry(id);
    expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(received(app, "/users")).toBe(2);
    expect(linesOf(world, id)).toEqual(["before", "[slipway] went on after a restart", "status 201"]);
  });

  it("keeps Skip over another death: the script sees an error, and nothing is sent", async () => {
    const { app, world, id } = await openAsking();
    await world.engine.skip(id);
    const next = await world.crash();
    expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(received(app, "/users")).toBe(1);
    expect(linesOf(next, id).filter((line) => !line.startsWith("[slipway]"))).toEqual(["before", "outcome_unknown"]);
  });
});

describe("a hook that waits for a person at a checkpoint", () => {
  const body = `
    await fetch(ctx.baseUrl + "/users", { method: "POST", body: "ada" });
    const choice = await ctx.awaitCheckpointRetry("ask", "Shall it go on?");
    await fetch(ctx.baseUrl + "/after", { method: "POST", body: choice });
    ctx.log(choice);`;
  const routes: Routes = { "POST /users": () => ({ status: 201 }), "POST /after": () => ({ status: 201 }) };

  it("is asked for after its engine died, and goes on from there", async () => {
    const { app, world } = await openApp(routes, [action("add", body)]);
    const { id } = await world.engine.runAction("demo", "add");
    expect(findAskedCheckpoint((await settledTask(world.engine, id)).waitingFor)).toBe("ask");
    const once = await world.crash();
    const twice = await once.crash();
    expect(findAskedCheckpoint((await settledTask(twice.engine, id)).waitingFor)).toBe("ask");
    await twice.engine.retry(id);
    expect(await settledTask(twice.engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(app.received.map(({ path, body }) => `${path} ${body}`)).toEqual(["/users ada", "/after retry"]);
    expect(linesOf(twice, id)).toEqual(["[slipway] went on after a restart", "retry"]);
  });

  it("hears the press that comes while its run is put off, since the disk did not answer", async () => {
    const body = `ctx.log(await ctx.awaitCheckpointRetry("ask", "Shall it go on?"));`;
    let isLocked = false;
    const run: Sandbox["run"] = (...given) => {
      if (isLocked) throw new EngineError("STORE_LOCKED", "database is locked");
      return sandbox.run(...given);
    };
    const putOff = new Set<() => void>();
    const clock = createSystemClock();
    // what is interrupted is taken up again after 5 s: here when the test says so
    const after: typeof clock.after = (ms, then) => {
      if (ms !== 5_000) return clock.after(ms, then);
      putOff.add(then);
      return () => putOff.delete(then);
    };
    const { world } = await openApp({}, [action("ask", body)], {
      sandbox: { ...sandbox, run },
      clock: { ...clock, after },
    });
    const { id } = await world.engine.runAction("demo", "ask");
    await settledTask(world.engine, id);
    isLocked = true;
    const next = await world.crash();
    await expect.poll(() => next.log.some((line) => line.includes("effect interrupted"))).toBe(true);
    isLocked = false;
    await next.engine.retry(id);
    await until(next.engine, () => next.store.taskLog(id).some(({ event }) => event.type === "run.answered"));
    for (const then of putOff) then();
    expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(linesOf(next, id)).toEqual(["[slipway] went on after a restart", "retry"]);
  });

  it("has no process after the grace, before or after a restart, until somebody presses", async () => {
    const living = new Set<ChildProcess>();
    const take = (message: unknown): void => {
      if (typeof message !== "object" || message === null || !("process" in message)) return;
      const { process } = message;
      if (!(process instanceof ChildProcess)) return;
      living.add(process);
      process.once("exit", () => living.delete(process));
    };
    const sandbox = createSandbox({
      allowWeakSandbox: true,
      scriptIo: createScriptIo({ loopback: true }),
      keepWarmChild: false,
      parkMs: 50,
    });
    const { app, world } = await openApp(routes, [action("add", body)], { sandbox });
    subscribe("child_process", take);
    try {
      const { id } = await world.engine.runAction("demo", "add");
      await settledTask(world.engine, id);
      await goneOf(living, isChild);
      const next = await world.restart();
      await settledTask(next.engine, id);
      expect([...living].filter(isChild)).toEqual([]);
      await next.engine.retry(id);
      expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED" });
      expect(app.received.map(({ path, body }) => `${path} ${body}`)).toEqual(["/users ada", "/after retry"]);
      expect(linesOf(next, id).at(-1)).toBe("retry");
    } finally {
      unsubscribe("child_process", take);
      await world.close();
      await sandbox.close();
    }
  });
});

/** What runs scripts, and not what bundles them. */
function isChild({ spawnargs }: ChildProcess): boolean {
  return spawnargs.includes("--jitless");
}

async function goneOf(living: ReadonlySet<ChildProcess>, which: (process: ChildProcess) => boolean): Promise<void> {
  await Promise.all([...living].filter(which).map((process) => once(process, "exit")));
}
