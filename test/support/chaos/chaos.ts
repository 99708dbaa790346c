/**
 * A whole engine under chaos: people, hosts, scripts and clocks do what they like, in any order and number; the engine
 * is restarted and killed in between. `calm` and `endAll` are what must be possible afterwards, whatever happened.
 */
import { isFinal } from "../../../src/core/task-states.ts";
import type { EngineWorld } from "../engine/engine-world.ts";
import { SECRETS } from "./chaos-apps.ts";
import { passRefusal } from "./chaos-runs.ts";
import { type ChaosStep, OPENINGS, type Opening } from "./chaos-steps.ts";
import { type ChaosWorld, listTasks, openChaosWorld, release, waitTicks } from "./chaos-world.ts";
import { takeStep } from "./take-step.ts";

export interface Chaos {
  readonly world: EngineWorld;
  take(step: ChaosStep): Promise<void>;
  /** Host, provider and scripts do their part again, time passes: until no task goes on without a person. */
  calm(): Promise<void>;
  /** A person gives everything up: until every task has ended, whether the host answers or not. */
  endAll(): Promise<void>;
  close(): Promise<void>;
}

/** An engine with something under way, a clock that stands still, and a script of its own for every run. */
export async function createChaos(opening: Opening): Promise<Chaos> {
  const chaos = await openChaosWorld();
  await begin(chaos, opening);
  return {
    get world() {
      return chaos.world;
    },
    take: (step) => takeStep(chaos, step),
    calm: () => calm(chaos),
    endAll: () => endAll(chaos),
    close: () => chaos.world.close(),
  };
}

async function begin(chaos: ChaosWorld, opening: Opening): Promise<void> {
  if (opening !== "install") {
    const { engine } = chaos.world;
    await engine.install("other");
    const inputs = { asks: { secret: SECRETS.input } };
    await engine.install("demo", { answers: { password: SECRETS.answer }, inputs });
    await calm(chaos);
  }
  const steps: readonly ChaosStep[] = OPENINGS[opening];
  const known = new Set<string>();
  const hasBegun = () => listTasks(chaos).some(({ id }) => !known.has(id));
  for (const [index, step] of steps.entries()) {
    if (index > 0) await calm(chaos);
    for (const { id } of listTasks(chaos)) known.add(id);
    await takeStep(chaos, step);
  }
  chaos.provider.agrees = false;
  // Preparing a request reads files, which takes as long as it does.
  for (let tick = 0; tick < 5_000 && !hasBegun(); tick += 1) await waitTicks(1);
}

async function calm(chaos: ChaosWorld): Promise<void> {
  const { clock, provider, runs } = chaos;
  const { store, host } = chaos.world;
  release(chaos);
  host.script.setAppsService("RUNNING");
  provider.agrees = true;
  for (let round = 0; round < 2_000; round += 1) {
    await waitTicks(4);
    runs.completeAll();
    if (round > 2 && store.unfinished().every(({ root }) => !store.busy(root))) return;
    clock.advance(2_000);
  }
  throw new Error(`never calm: ${JSON.stringify(listTasks(chaos).filter(({ state }) => !isFinal(state)))}`);
}

async function endAll(chaos: ChaosWorld): Promise<void> {
  const { engine } = chaos.world;
  for (let round = 0; round < 10; round += 1) {
    for (const { id, state } of listTasks(chaos)) if (!isFinal(state)) await engine.cancel(id).catch(passRefusal);
    await waitTicks(8);
    chaos.clock.advance(1_000);
  }
}
