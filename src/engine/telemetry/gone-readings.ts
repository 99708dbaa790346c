import type { Reading } from "./metric-table.ts";

/**
 * Adds a reading of zero for what was read before and is not any more: an SDK goes on telling the last value of it. What it
 * keeps is bounded, as attributes are names of the code.
 */
export class GoneReadings {
  readonly #seen = new Map<string, Reading>();

  fill(readings: readonly Reading[]): readonly Reading[] {
    const now = new Set(readings.map(nameReading));
    const gone = [...this.#seen].flatMap(([name, reading]) => (now.has(name) ? [] : [{ ...reading, value: 0 }]));
    for (const reading of readings) this.#seen.set(nameReading(reading), reading);
    return [...readings, ...gone];
  }
}

function nameReading({ metric, attributes }: Reading): string {
  return JSON.stringify([metric, attributes]);
}
