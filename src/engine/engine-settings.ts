/** What an engine is made of. */
import type { Sandbox } from "../../sandbox/contract.ts";
import type { Catalog } from "./ports/catalog.ts";
import type { Clock, Logger, Notification, Randomness } from "./ports/environment.ts";
import type { Folders } from "./ports/folders.ts";
import type { Icons } from "./ports/icons.ts";
import type { OwnHost } from "./ports/own-host.ts";
import type { Providers } from "./ports/providers.ts";
import type { Store } from "./ports/store.ts";
import type { Timing } from "./runtime/timing.ts";
import type { Kept } from "./runtime/turn/retention.ts";
import type { TelemetrySettings } from "./telemetry/telemetry.ts";

/** Everything an engine is made with; only host, store and catalog have no default. */
export interface EngineSettings {
  /** A method or a group that is missing is `HOST_INCOMPLETE`. */
  readonly host: OwnHost;
  /** Closed with the engine. */
  readonly store: Store;
  readonly catalog: Catalog;
  /** Without one no hook and no widget runs: each is dropped with a problem. */
  readonly sandbox?: Sandbox;
  /** Without them no folder can be looked at. */
  readonly folders?: Folders;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Default: silent. */
  readonly logger?: Logger;
  /**
   * Told after the fact was committed, once per target that was linked and per version an app with the policy `notify` can
   * be upgraded to; after a kill meanwhile again, with the same id. It is not waited for; what it throws or rejects with
   * is logged.
   */
  readonly onNotification?: (notification: Notification) => void | Promise<void>;
  /** Hides `internal` apps; default true. */
  readonly production?: boolean;
  /** Unmet specifications, permissions and ports refuse an install; default false, they are advice. */
  readonly enforceRequirements?: boolean;
  /** Widgets that may send more than GET and HEAD; none by default. */
  readonly trustedWidget?: (appId: string, widgetId: string) => boolean;
  /** How much of tasks that have ended is kept; a number out of bounds is `TASK_REQUEST_INVALID`. */
  readonly kept?: Partial<Kept>;
  /** Deadlines and pauses that differ from the defaults, in ms. */
  readonly timing?: Partial<Timing>;
  /** Where traces and metrics go; default: the providers registered with OpenTelemetry's API, if any. */
  readonly telemetry?: TelemetrySettings;
  /**
   * Begins scheduled upgrades, tells of upgrades and looks for drift by itself; default true. An engine that is opened for
   * one deed says false: a window's upgrade would end with it half-way.
   */
  readonly unattended?: boolean;
  /** Reaches OAuth providers. Without one every sign-in is refused. */
  readonly providers?: Providers;
  /** Reads pictures of apps. Without one no app has a picture. */
  readonly icons?: Icons;
  /**
   * Ports of the host's LAN address that scripts may reach beside those its apps publish: of apps on the host's own
   * network, which publish none. The embedder vouches that nothing else answers there. Default: none.
   */
  readonly hostNetworkPorts?: readonly number[];
}
