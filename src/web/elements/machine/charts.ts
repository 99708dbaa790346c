/** The drawings of this build's machines. */
import type { Chart } from "./chart.ts";
import drawn from "./charts.json" with { type: "json" };
import { type PackedChart, type PackedPlaces, unpackChart } from "./packed-chart.ts";

interface Drawn {
  readonly charts: Readonly<Record<string, PackedChart>>;
  readonly places: Readonly<Record<string, PackedPlaces>>;
}

/** TypeScript takes the tuples of a JSON file for lists, so it is told what they are. */
const { charts: packed, places } = drawn as unknown as Drawn;

/** Every drawing by its machine's id. */
export const charts: ReadonlyMap<string, Chart> = new Map(
  Object.entries(packed).map(([id, chart]) => [id, unpackChart(chart, places[id] ?? { boxes: [], edges: [] })]),
);
