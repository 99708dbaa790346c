/** The drawings of the engine's machines. */
import { call } from "../../api/client.ts";
import type { Machines } from "../../api/types.ts";
import type { Chart } from "./chart.ts";
import drawn from "./charts.json" with { type: "json" };
import { placeMachine } from "./place-machine.ts";

/** Every drawing by its machine's id. */
export type Charts = ReadonlyMap<string, Chart>;

const laidOut = new Map(Object.entries(drawn));

const known = new Map<string, Charts>();

/** The drawings of the engine behind an address of the interface, which is asked once. Throws `ApiError`. */
export async function readCharts(api: string, signal: AbortSignal): Promise<Charts> {
  const charts = known.get(api) ?? drawMachines(await call<Machines>(api, "/machines", { signal }));
  known.set(api, charts);
  return charts;
}

/** Draws machines as they were laid out; those that were not are left out. */
export function drawMachines({ machines }: Machines): Charts {
  return new Map(
    machines.flatMap((machine) => {
      const places = laidOut.get(machine.id);
      const chart = places === undefined ? undefined : placeMachine(machine, places);
      return chart === undefined ? [] : [[machine.id, chart] as const];
    }),
  );
}
