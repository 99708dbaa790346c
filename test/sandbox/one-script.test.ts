/** A sandbox that runs one script, as the workbench has it: what it starts. */
import { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, test } from "vitest";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { createScriptIo } from "../../src/adapters/script-io/script-io.ts";

test("it starts one child and one bundler, also where its health is asked for", async () => {
  const spawned: ChildProcess[] = [];
  const take = (message: unknown): void => {
    if (typeof message !== "object" || message === null || !("process" in message)) return;
    if (message.process instanceof ChildProcess) spawned.push(message.process);
  };
  subscribe("child_process", take);
  const sandbox = createSandbox({
    scriptIo: createScriptIo({ loopback: true }),
    allowWeakSandbox: true,
    keepWarmChild: false,
  });
  try {
    const compiled = await sandbox.compile({
      app: "app",
      root: null,
      // longer than a warm child would wait before it is started
      source: { kind: "inline", content: "export const run = () => new Promise((done) => setTimeout(done, 200));" },
      entrypoint: "run",
      label: "hook",
    });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
    expect((await sandbox.health()).usable).toBe(true);
    const { outcome } = sandbox.run(
      {
        runId: "run",
        kind: "hook",
        script: compiled.script,
        entrypoint: "run",
        context: {},
        secrets: [],
        wallMs: 20_000,
        network: { lanIp: "192.0.2.1", lanPorts: async () => [], internet: false, readOnly: false },
        mounts: [],
        seed: "seed",
      },
      { call: async () => null, log: () => {}, audit: () => {} },
    );
    expect((await outcome).status).toBe("completed");
  } finally {
    unsubscribe("child_process", take);
    await sandbox.close();
  }
  const started = (program: string) =>
    spawned.filter(({ spawnargs }) => spawnargs.some((arg) => arg.endsWith(program)));
  expect([started("/child.mjs").length, started("/bundler.cjs").length]).toEqual([1, 1]);
});
