/** An engine to be killed: runs a script that never ends and prints `started`. */
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";

const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
const content = "export async function run(ctx) { ctx.log('started'); for (;;); }";
const compiled = await sandbox.compile({
  app: "app",
  root: null,
  source: { kind: "inline", content },
  entrypoint: "run",
  label: "a.ts",
});
if (!compiled.ok) throw new Error("the script does not compile");
sandbox.run(
  {
    runId: "run",
    kind: "hook",
    script: compiled.script,
    entrypoint: "run",
    context: {},
    secrets: [],
    wallMs: 60_000,
    network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: true },
    mounts: [],
    seed: "seed",
  },
  { call: async () => null, log: (line) => console.log(line), audit: () => {} },
);
