/**
 * One life of an engine on a folder: starts a task or takes up the one that is there, ends when it is done. What its
 * effects do to the outside is a line each in `outside.txt`, where reconciling looks.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createPinoLogger } from "../../../src/adapters/logger-pino.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { passCrashPoint } from "../../../src/engine/runtime/crash-points.ts";
import { createRuntime } from "../../../src/engine/runtime/create-runtime.ts";
import type { EffectHandler, MachineEvent } from "../../../src/engine/runtime/effect.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { createSystemRandomness } from "../../../src/engine/system/randomness.ts";
import { singleEffect } from "./single-effect-machine.ts";

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: run-single-effect.ts FOLDER");
const outside = join(folder, "outside.txt");

function happened(): readonly string[] {
  return existsSync(outside) ? readFileSync(outside, "utf8").trimEnd().split("\n") : [];
}

function outsideHandler(name: string, event: MachineEvent): EffectHandler {
  return {
    class: "create",
    async perform(_params, run) {
      if (happened().includes(`${name} ${run.requestId}`)) throw new Error(`${name} was sent twice`);
      appendFileSync(outside, `${name} ${run.requestId}\n`);
      passCrashPoint("afterEffectSent");
      return event;
    },
    async reconcile(_params, run) {
      const sent = happened().includes(`${name} ${run.requestId}`);
      return sent ? { status: "done", event } : { status: "not_started" };
    },
  };
}

const store = openStore({ file: join(folder, "slipway.db") });
const runtime = createRuntime({
  store,
  registry: { "single-effect": singleEffect },
  handlers: {
    "work.run": outsideHandler("run", { type: "host.done", answer: "fresh" }),
    "work.report": outsideHandler("report", { type: "reported" }),
  },
  clock: createSystemClock(),
  randomness: createSystemRandomness(),
  logger: createPinoLogger({ level: "silent" }),
});
await runtime.recover();
const [[known] = []] = store.rootTrees();
const input = { label: "bread" };
const { id } =
  known ?? runtime.start({ machine: "single-effect", input, kind: "update", appId: "shop", claim: "app:shop" });
const { state, marks } = await runtime.settled(id);
while (store.openEffects().length > 0) await new Promise(setImmediate);
process.stdout.write(JSON.stringify({ state, marks, turns: store.task(id)?.rev, log: store.taskLog(id).length }));
await runtime.close();
store.close();
