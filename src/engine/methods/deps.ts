import type { Sandbox } from "../../../sandbox/contract.ts";
import type { Deed } from "../audit/deed.ts";
import type { Hints } from "../hints/hints.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock, Logger, Randomness } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import type { RegisteredMachine } from "../runtime/effect.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Timing } from "../runtime/timing.ts";
import type { HostWatch } from "../standing/watch-host.ts";
import type { AppLabels } from "../surfaces/app-labels.ts";
import type { CatalogView } from "../surfaces/catalog-view.ts";
import type { HostAnswers } from "../surfaces/host-answers.ts";
import type { NameOf } from "../surfaces/name-apps.ts";
import type { KnownSchemas } from "../values/known-schemas.ts";
import type { Masks } from "../vault/secrets.ts";

export interface MethodDeps {
  readonly runtime: Runtime;
  /** Every machine by its id. */
  readonly registry: Readonly<Record<string, RegisteredMachine>>;
  /** Rejects soon where the host is away: a request of a person does not wait for it. */
  readonly host: Host;
  readonly watch: HostWatch;
  /** What apps accept, as the host answers it. */
  readonly schemas: KnownSchemas;
  /** The host's last answers, for what is only shown. */
  readonly answers: HostAnswers;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly timing: Timing;
  readonly masks: Masks;
  /** The catalog as people see it. */
  readonly view: () => CatalogView;
  readonly labels: AppLabels;
  readonly nameOf: NameOf;
  /** Told of what is worth reading anew. */
  readonly hints: Pick<Hints, "tell">;
  /** Unmet specifications, permissions and ports refuse an install (docs/install-scripts.md, "Requirements"). */
  readonly enforceRequirements: boolean;
}

/** What a method needs that changes something. */
export interface ChangeDeps extends MethodDeps {
  readonly deed: Deed;
}
