/** Runs scripts, and children that are not ours at all, in the real sandbox; keeps what reached the script host. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ContextCall, RunOutcome, RunRequest, Sandbox, ScriptHost } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { hostile, writeProgram } from "../../sandbox/containment/containment-child.ts";

/** What came of one run. */
export interface Hostility {
  readonly outcome: RunOutcome;
  readonly calls: readonly ContextCall[];
  readonly log: readonly string[];
  readonly tookMs: number;
}

/** What a run may be given beside its code. */
export type Given = Partial<RunRequest> & { readonly scriptHost?: Partial<ScriptHost> };

const NO_SCRIPT = { sha256: "", code: "", sourceMap: "{}" };

/** Runs a body as the entrypoint of a hook. */
export async function runScript(sandbox: Sandbox, body: string, given: Given = {}): Promise<Hostility> {
  const content = `export async function run(ctx: any) {\n${body}\n}`;
  const source = { kind: "inline", content } as const;
  const compiled = await sandbox.compile({ app: "app", root: null, source, entrypoint: "run", label: "app.json#hook" });
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  return run(sandbox, { script: compiled.script, ...given });
}

/** Runs a compromised child: `onDelivery` is its program once the run begins (test/sandbox/containment/containment-child.ts). */
export async function runChild(onDelivery: string, given: Given = {}): Promise<Hostility> {
  const { program, remove } = await writeProgram(hostile(onDelivery));
  const sandbox = createSandbox({ scriptIo: createScriptIo(), program });
  try {
    return await run(sandbox, { script: NO_SCRIPT, ...given });
  } finally {
    await sandbox.close();
    await remove();
  }
}

async function run(
  sandbox: Sandbox,
  { scriptHost, ...given }: Given & { readonly script: RunRequest["script"] },
): Promise<Hostility> {
  const calls: ContextCall[] = [];
  const log: string[] = [];
  const since = performance.now();
  const { outcome } = sandbox.run(
    {
      runId: "run",
      kind: "hook",
      entrypoint: "run",
      context: { resourceId: "app", event: "userAction", inputs: {}, baseUrl: "" },
      secrets: [],
      wallMs: 20_000,
      network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: false },
      mounts: [],
      seed: "seed",
      ...given,
    },
    {
      call: async (call) => {
        calls.push(call);
        return null;
      },
      log: (line) => log.push(line),
      audit: () => {},
      ...scriptHost,
    },
  );
  return { outcome: await outcome, calls, log, tookMs: performance.now() - since };
}

/** An app that answers every request with 503, and counts them. */
export async function startUnready(): Promise<{
  readonly port: number;
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}> {
  let requests = 0;
  const server: Server = createServer((_, response) => {
    requests += 1;
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
