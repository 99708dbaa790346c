/** An engine that was itself started with more descriptors than it should: prints which files its child holds. */
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { hostile, writeProgram } from "../../sandbox/containment/containment-child.ts";

const { program, remove } = await writeProgram(
  hostile(`
    const held = [];
    for (let fd = 0; fd < 100; fd++) try { if (fs.fstatSync(fd).isFile()) held.push(fd); } catch {}
    done(held);`),
);
const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo(), program });
const run = sandbox.run(
  {
    runId: "run",
    kind: "hook",
    script: { sha256: "", code: "", sourceMap: '{"version":3,"sources":[],"mappings":""}' },
    entrypoint: "run",
    context: {},
    secrets: [],
    wallMs: 10_000,
    network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: true },
    mounts: [],
    seed: "seed",
  },
  { call: async () => null, log: () => {}, audit: () => {} },
);
const outcome = await run.outcome;
console.log(outcome.status === "completed" ? JSON.stringify(outcome.result) : JSON.stringify(outcome));
await sandbox.close();
await remove();
