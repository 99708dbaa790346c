import type { Sandbox } from "../../../sandbox/contract.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock, Logger, Randomness } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import type { Runtime } from "../runtime.ts";
import type { Masks } from "../secrets.ts";
import type { Timing } from "../timing.ts";

/** What the engine's methods work with. */
export interface MethodScene {
  readonly runtime: Runtime;
  readonly host: Host;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox | null;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly timing: Timing;
  readonly masks: Masks;
  readonly production: boolean;
}
