import { machines } from "../../../machines/index.ts";
import { viewMachine } from "../../../src/engine/replay/list-machine.ts";
import { drawMachines } from "../../../src/web/elements/machine/charts.ts";

/** The drawings of this engine's machines, by their ids. */
export const charts = drawMachines({ machines: Object.values(machines).map(viewMachine) });
