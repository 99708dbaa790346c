/** The drawings of this build's machines. */
import type { Chart } from "./chart.ts";
import drawn from "./charts.json" with { type: "json" };
import { type PackedChart, unpackChart } from "./packed-chart.ts";

/** Every drawing by its machine's id; TypeScript takes the tuples of a JSON file for lists, so it is told what they are. */
export const charts: ReadonlyMap<string, Chart> = new Map(
  Object.entries(drawn as unknown as Readonly<Record<string, PackedChart>>).map(([id, chart]) => [
    id,
    unpackChart(chart),
  ]),
);
