/** The subject of a decision as one comparable text: a decision never answers another question. */
import type { UncertainRequest } from "./uncertain-request.ts";

/** A checkpoint a script waits at. */
export function aboutCheckpoint(id: string): string {
  return `checkpoint ${id}`;
}

/** A request that may have arrived: the same call sent again is another one, and no mask changes a number. */
export function aboutRequest({ call, at }: UncertainRequest): string {
  return `request ${call} ${at}`;
}
