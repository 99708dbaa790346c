/** What the engine's log says of tasks: a line when one starts, waits, ends or fails, and none for a retry. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { FAILS_AS_WISHED, rawHook, WISH } from "../../support/scripts/scripts.ts";

const asking = {
  hooks: [
    rawHook({
      id: "asks",
      rerun: undefined,
      events: ["onAfterInstall"],
      inputs: [WISH],
      scriptContent: FAILS_AS_WISHED,
    }),
  ],
};

interface Line {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

async function open(catalog: Readonly<Record<string, unknown>>) {
  const lines: Line[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  const logger = { debug: () => {}, info: at("info"), warn: at("warn"), error: at("error") };
  const { engine, host } = await openWorld({ catalog, engine: { logger } });
  return { engine, host, lines };
}

const spoken = (lines: readonly Line[]) =>
  lines.map(({ level, message, kind, waitingFor, state }) => [level, message, kind, waitingFor ?? state].join(" "));

describe("the engine's log", () => {
  it("has one line when a task starts, waits, ends or fails, with its ids and how long it took", async () => {
    const { engine, lines } = await open({ asking });
    const { id } = await engine.install("asking");
    await settledTask(engine, id);
    const hook = hookTask(await engine.settled(id), "asks");
    await engine.input(hook.id, { wish: "fail" });
    await settledTask(engine, id);
    await engine.skip(hook.id);
    await settledTask(engine, id);

    expect(spoken(lines.filter(({ task }) => task === id))).toEqual([
      "info task started install RUNNING",
      "info task waits install host",
      "info task waits install app",
      "info task waits install person",
      "info task waits install person",
      "info task ended install COMPLETED",
    ]);
    expect(spoken(lines.filter(({ task }) => task === hook.id))).toEqual([
      "info task started hook RUNNING",
      "info task waits hook person",
      "info task waits hook person",
      "info task ended hook SKIPPED",
    ]);
    expect(lines.find(({ message, task }) => message === "task ended" && task === hook.id)).toEqual({
      level: "info",
      message: "task ended",
      task: hook.id,
      root: id,
      parent: id,
      kind: "hook",
      appId: "asking",
      hookId: "asks",
      state: "SKIPPED",
      durationMs: expect.any(Number),
    });
  });

  it("says why a task failed, and that it starts again", async () => {
    const { engine, host, lines } = await open({ plain: {} });
    const fault = faultOf("HOST_CALL_FAILED", "[EFAULT] no room for images");
    host.script.endJob("app.create", { state: "FAILED", fault });
    const { id } = await engine.install("plain");
    await settledTask(engine, id);
    await engine.retry(id);
    await settledTask(engine, id);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: "task failed",
        task: id,
        code: "HOST_CALL_FAILED",
        durationMs: expect.any(Number),
      }),
    );
    expect(spoken(lines.filter(({ task }) => task === id)).filter((line) => !line.includes("waits"))).toEqual([
      "info task started install RUNNING",
      "warn task failed install FAILED",
      "info task started install RUNNING",
      "info task ended install COMPLETED",
    ]);
  });

  it("has no line for a retry: a host that stays away is told of once, and once that it is back", async () => {
    const { engine, host, lines } = await open({ plain: {} });
    const release = host.script.hold("app.create");
    const { id } = await engine.install("plain");
    for (let tries = 0; tries < 30; tries += 1) {
      host.script.refuse("app.query", faultOf("HOST_UNREACHABLE", "gone", { retryable: true }), "no");
    }
    release();
    await settledTask(engine, id);
    expect(engine.task(id)?.state).toBe("COMPLETED");
    const told = lines.filter(({ message }) => !message.startsWith("task "));
    expect(told.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "warn the host does not answer",
      "info the host answers again",
    ]);
    expect(lines.length).toBeLessThan(15);
  });
});
