import type { Json, JsonObject } from "../core/json/json.ts";
import type { Gpu } from "../core/plan/host-facts.ts";
import type { HostCatalog } from "./apps/catalog.ts";
import type { CatalogQuestions } from "./apps/catalog-questions.ts";
import type { AppRuntime } from "./apps/runtime.ts";
import type { EventHub } from "./events.ts";
import type { Faults } from "./faults.ts";
import type { AppRecord, HostState } from "./host-state.ts";
import type { JobRecord } from "./jobs/job.ts";
import type { JobQueue } from "./jobs/queue.ts";
import type { Random } from "./random.ts";
import type { HostGeneration, StandinNetwork } from "./settings.ts";

/** Everything a method of the API may touch. */
export interface World {
  /** The state directory; host paths lie below it. */
  readonly dir: string;
  readonly generation: HostGeneration;
  readonly lanIp: string;
  /** Parts of app entries that queries show otherwise, by instance name. */
  readonly oddEntries: Map<string, JsonObject>;
  /** What the host says about its addresses. */
  network: StandinNetwork;
  readonly hardware: { readonly memoryBytes: number; readonly cores: number; readonly gpus: readonly Gpu[] };
  readonly state: HostState;
  readonly catalog: HostCatalog;
  /** The questions of the catalog's apps. */
  readonly questions: CatalogQuestions;
  /** Ids of the host's certificates. */
  readonly certificates: readonly number[];
  readonly runtime: AppRuntime;
  readonly jobs: JobQueue;
  readonly events: EventHub;
  readonly faults: Faults;
  readonly random: Random;
  readonly snapshotReads: SnapshotReads;
  /** False refuses queries that read every snapshot of every pool. */
  readonly scansSnapshots: boolean;
  /** Since when the machine runs, UTC ms. */
  readonly boot: { at: number };
  /** UTC ms. */
  now(): number;
  /** Makes the present state durable. */
  commit(): void;
  /** Waits `ms` divided by the speed. */
  pace(ms: number, signal?: AbortSignal): Promise<void>;
  /** Tells `app.query` subscribers about an app. */
  tellApp(msg: "added" | "changed" | "removed", app: AppRecord, state?: "STOPPING"): void;
  /** Starts a job of the host's own, without message id and credentials. */
  helperJob(method: string, args: readonly Json[], run: JobRun): JobRecord;
}

/** What the snapshot queries since the start have read. */
export interface SnapshotReads {
  queries: number;
  /** Snapshots of which only the name was read. */
  names: number;
  /** Snapshots that were read with their properties. */
  rows: number;
}

/** The work of a job. */
type JobRun = (job: { readonly signal: AbortSignal; progress(percent: number, text: string): void }) => Promise<Json>;
