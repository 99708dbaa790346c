import type { TaskView } from "../../../src/engine/api.ts";
import { openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import type { ScriptedHostOptions } from "../../support/host/scripted-host.ts";

export interface InstalledDemo extends EngineWorld {
  /** Of the install. */
  readonly id: string;
  readonly view: TaskView;
}

/** A world whose only app, "demo", has been installed from this script, as its install rests. */
export async function installDemo(
  script: Record<string, unknown>,
  host: ScriptedHostOptions = {},
): Promise<InstalledDemo> {
  const world = await openWorld({ catalog: { demo: script }, host });
  const { id } = await world.engine.install("demo");
  return { ...world, id, view: await settledTask(world.engine, id) };
}
