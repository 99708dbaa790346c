import type { Json } from "../../core/json/json.ts";

/** An event of a machine: lower case, dotted, sender first (`user.retry`, `host.job.done`); JSON throughout. */
export interface MachineEvent {
  readonly type: string;
  readonly [key: string]: Json;
}
