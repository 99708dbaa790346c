/** A machine that gives no user and no network of its own to a script's process. */
import { afterEach, expect, test } from "vitest";
import { createCompiler } from "../../../sandbox/compile/bundle.ts";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { NO_ISOLATION } from "../../../sandbox/process/isolation.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { CODES } from "../../../src/core/codes/codes.ts";

let sandbox: Sandbox;

afterEach(() => sandbox.close());

function open(allowWeakSandbox?: boolean): Sandbox {
  const scriptIo = createScriptIo();
  sandbox = createSandbox({
    scriptIo,
    isolation: [NO_ISOLATION],
    ...(allowWeakSandbox !== undefined && { allowWeakSandbox }),
  });
  return sandbox;
}

const SOURCE = { kind: "inline", content: "export async function run() { return 1; }" } as const;
const compile = () => sandbox.compile({ app: "app", root: null, source: SOURCE, entrypoint: "run", label: "a.ts" });

async function run() {
  const script = { sha256: "", code: "", sourceMap: '{"version":3,"sources":[],"mappings":""}' };
  const network = { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: true };
  const request = { runId: "run", kind: "hook", script, entrypoint: "run", context: {}, network } as const;
  const rest = { secrets: [], wallMs: 10_000, mounts: [], seed: "seed" };
  return sandbox.run({ ...request, ...rest }, { call: async () => null, log: () => {}, audit: () => {} }).outcome;
}

test("scripts are refused there, with a code and what is missing, and the health report says so first", async () => {
  const { usable, layers } = await open().health();
  expect(usable).toBe(false);
  expect(layers.slice(0, 2)).toMatchObject([
    { name: "own user", mandatory: true, active: false },
    { name: "empty network", mandatory: true, active: false },
  ]);
  expect(await compile()).toMatchObject({
    ok: false,
    problems: [{ code: "SANDBOX_UNAVAILABLE", message: expect.stringMatching(/own user \(.*\), empty network \(/) }],
  });
  expect(CODES.SANDBOX_UNAVAILABLE.hint).toContain("allowWeakSandbox");
  expect(await run()).toMatchObject({ status: "failed", message: expect.stringContaining("own user (uid ") });
});

test("the bundler starts nothing there either, and the health report says so", async () => {
  const compiler = createCompiler({ isolation: [NO_ISOLATION], allowWeak: false });
  open();
  try {
    const request = { app: "a", root: null, source: SOURCE, entrypoint: "run", label: "a.ts" };
    expect(await compiler.compile(request)).toMatchObject({
      ok: false,
      problems: [{ code: "SANDBOX_UNAVAILABLE", message: expect.stringContaining("own user or empty network") }],
    });
  } finally {
    await compiler.close();
  }
  const { layers } = await sandbox.health();
  expect(layers[2]).toMatchObject({ name: "bundler", mandatory: true, active: false });
});

test("scripts run there where the embedder allows it in so many words", async () => {
  const health = await open(true).health();
  expect(health).toMatchObject({ usable: true });
  expect(health.layers).toContainEqual({
    name: "bundler",
    mandatory: false,
    active: false,
    detail: "without own user, empty network",
  });
  expect(await compile()).toMatchObject({ ok: true });
});
