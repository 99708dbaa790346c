/**
 * The registry: every machine with its version, the migrations of its snapshots and its view.
 *
 * A change of a state's, delay's or context key's name is a new version with a migration from the last one.
 */
import type { Json, JsonObject } from "../src/core/json/json.ts";
import type { TaskFacts } from "../src/core/task/task-facts.ts";
import { adoptMachine } from "./adopt/machine.ts";
import { viewAdopt } from "./adopt/view.ts";
import { checkpointMachine } from "./checkpoint/machine.ts";
import { viewCheckpoint } from "./checkpoint/view.ts";
import { hookTaskMachine } from "./hook-task/machine.ts";
import { viewHookTask } from "./hook-task/view.ts";
import { importMachine } from "./import/machine.ts";
import { viewImport } from "./import/view.ts";
import { installMachine } from "./install/machine.ts";
import { viewInstall } from "./install/view.ts";
import { restartMachine } from "./restart/machine.ts";
import { viewRestart } from "./restart/view.ts";
import { rollbackMachine } from "./rollback/machine.ts";
import { viewRollback } from "./rollback/view.ts";
import { startMachine } from "./start/machine.ts";
import { viewStart } from "./start/view.ts";
import type { StateValue } from "./state-value.ts";
import { stopMachine } from "./stop/machine.ts";
import { viewStop } from "./stop/view.ts";
import { forgetSteps } from "./uninstall/forget-steps.ts";
import { uninstallMachine } from "./uninstall/machine.ts";
import { viewUninstall } from "./uninstall/view.ts";
import { updateMachine } from "./update/machine.ts";
import { viewUpdate } from "./update/view.ts";
import { upgradeMachine } from "./upgrade/machine.ts";
import { viewUpgrade } from "./upgrade/view.ts";
import { upgradeAllMachine } from "./upgrade-all/machine.ts";
import { viewUpgradeAll } from "./upgrade-all/view.ts";

/** The persisted state value and context, which a view is made from. */
interface Shown {
  readonly value: Json;
  readonly context: JsonObject;
}

/** A view sees exactly what its machine persisted, so the context has the machine's type again. */
function readView<Context>(view: (value: StateValue, context: Context) => TaskFacts): (shown: Shown) => TaskFacts {
  return ({ value, context }) => view(value as StateValue, context as Context);
}

/** From version n to n + 1, over the persisted snapshot's JSON. */
type Migrations = Readonly<Record<number, (snapshot: Json) => Json>>;

const NONE: Migrations = {};

/** Every machine by its id. */
export const machines = {
  install: { id: "install", version: 1, machine: installMachine, migrate: NONE, view: readView(viewInstall) },
  upgrade: { id: "upgrade", version: 1, machine: upgradeMachine, migrate: NONE, view: readView(viewUpgrade) },
  update: { id: "update", version: 1, machine: updateMachine, migrate: NONE, view: readView(viewUpdate) },
  start: { id: "start", version: 1, machine: startMachine, migrate: NONE, view: readView(viewStart) },
  stop: { id: "stop", version: 1, machine: stopMachine, migrate: NONE, view: readView(viewStop) },
  restart: { id: "restart", version: 1, machine: restartMachine, migrate: NONE, view: readView(viewRestart) },
  uninstall: {
    id: "uninstall",
    version: 2,
    machine: uninstallMachine,
    migrate: { 1: forgetSteps },
    view: readView(viewUninstall),
  },
  adopt: { id: "adopt", version: 1, machine: adoptMachine, migrate: NONE, view: readView(viewAdopt) },
  rollback: { id: "rollback", version: 1, machine: rollbackMachine, migrate: NONE, view: readView(viewRollback) },
  "upgrade-all": {
    id: "upgrade-all",
    version: 1,
    machine: upgradeAllMachine,
    migrate: NONE,
    view: readView(viewUpgradeAll),
  },
  import: { id: "import", version: 1, machine: importMachine, migrate: NONE, view: readView(viewImport) },
  "hook-task": {
    id: "hook-task",
    version: 1,
    machine: hookTaskMachine,
    migrate: NONE,
    activeDelays: ["timeLeft"],
    view: readView(viewHookTask),
  },
  checkpoint: {
    id: "checkpoint",
    version: 1,
    machine: checkpointMachine,
    migrate: NONE,
    view: readView(viewCheckpoint),
  },
} as const;
