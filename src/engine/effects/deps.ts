import type { Sandbox } from "../../../sandbox/contract.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock, Logger, Notification } from "../ports/environment.ts";
import type { Folders } from "../ports/folders.ts";
import type { Host } from "../ports/host.ts";
import type { Providers } from "../ports/providers.ts";
import type { Store } from "../ports/store.ts";
import type { JournalWriter } from "../runtime/journal-writer.ts";
import type { Timing } from "../runtime/timing.ts";
import type { KnownSchemas } from "../values/known-schemas.ts";
import type { Masks } from "../vault/secrets.ts";

export interface EffectDeps {
  readonly host: Host;
  /** What apps accept, as the host answers it. */
  readonly schemas: KnownSchemas;
  readonly folders: Folders;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly providers: Providers;
  /** Ports of the LAN address that scripts may reach, as the host says now. */
  readonly appPorts: () => Promise<readonly number[]>;
  /** Ports of apps on the host's own network that the operator vouches for; they are among `appPorts`. */
  readonly vouchedPorts: readonly number[];
  readonly timing: Timing;
  readonly masks: Masks;
  readonly journals: Pick<JournalWriter, "write">;
  /** Told of upgrade policies that were set. */
  readonly onPolicies: () => void;
  /** Tells the embedder; it is not waited for, and what it throws is logged. */
  readonly onNotification: (notification: Notification) => void;
}
