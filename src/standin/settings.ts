import type { Json } from "../core/json/json.ts";
import type { Gpu } from "../core/plan/host-facts.ts";
import type { AppAnswers } from "./apps/answers.ts";
import type { StandinClock } from "./clock.ts";

/** Host generations the stand-in can play, oldest first; the baseline is 25.10 (docs/host-api.md, section 12). */
export const GENERATIONS = ["25.04", "25.10", "26.0", "27.0"] as const;
/** See the list. */
export type HostGeneration = (typeof GENERATIONS)[number];

/** Whether a generation is `first` or a newer one. */
export function isSince(generation: HostGeneration, first: HostGeneration): boolean {
  return GENERATIONS.indexOf(generation) >= GENERATIONS.indexOf(first);
}

/** Limits of the wire (docs/host-api.md, section 2), each adjustable for tests. */
export interface WireLimits {
  /** Characters of one message before login; more closes the socket with 1007. */
  readonly messageCharactersBeforeLogin: number;
  /** Characters of one message after login; more closes the socket with 1009. */
  readonly messageCharacters: number;
  /** Calls of one connection that run at a time. */
  readonly runningCalls: number;
  /** Calls of one connection in flight; the next one gets -32000. */
  readonly callsInFlight: number;
  /** ms without data from the server after which the front proxy cuts the socket. */
  readonly idleMs: number;
  /** Calls per method and address in `rateWindowMs` before login. */
  readonly ratePerWindow: number;
  /** ms. */
  readonly rateWindowMs: number;
}

/** The limits of the real host. */
export const WIRE_LIMITS: WireLimits = {
  messageCharactersBeforeLogin: 8192,
  messageCharacters: 65_536,
  runningCalls: 10,
  callsInFlight: 20,
  idleMs: 60_000,
  ratePerWindow: 20,
  rateWindowMs: 60_000,
};

/** Settings of a stand-in; only the directory is needed. */
export interface StandinOptions {
  /** Directory of the state; `/mnt/tank/x` of the host lies at `DIR/mnt/tank/x`. */
  readonly dir: string;
  /** Address and port of the API socket, default `127.0.0.1:0`. */
  readonly listen?: { readonly address: string; readonly port: number };
  /** Folders of install scripts whose apps the host's catalog has. */
  readonly catalogs?: readonly string[];
  /** Divides every duration of the lifecycle, default 1 (an install takes about 1.5 s). */
  readonly speed?: number;
  /** Faults armed from the start, as `NAME[@METHOD[:PERCENT]][*TIMES][=VALUE]` (faults.ts). */
  readonly faults?: readonly string[];
  readonly generation?: HostGeneration;
  /** Decides ids; default: from the directory. */
  readonly seed?: number;
  readonly clock?: StandinClock;
  readonly username?: string;
  /** Default: random, kept in the state. */
  readonly apiKey?: string;
  /** Where apps listen; default: the directory's own loopback address. */
  readonly lanIp?: string;
  /** What the host says about its addresses; default: its LAN address. */
  readonly network?: StandinNetwork;
  readonly memoryBytes?: number;
  readonly cores?: number;
  readonly gpus?: readonly Gpu[];
  /** HTTP answers of apps, by instance name or catalog id. */
  readonly answers?: Readonly<Record<string, AppAnswers>>;
  /**
   * The questions of catalog apps, an object or list of `{app, train, version, questions}`: values are held against them. Other
   * apps take any.
   */
  readonly schemas?: Json;
  /** Ids of the host's certificates, default 1 alone, the one a new host has. */
  readonly certificates?: readonly number[];
  readonly limits?: Partial<WireLimits>;
  /** False refuses queries that read every snapshot of every pool, which a host with many answers too late; default true. */
  readonly scansSnapshots?: boolean;
  /** Serves the API over TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Told of every call received, for the command's log. */
  readonly onCall?: (call: RecordedCall) => void;
}

/** The host's addresses as its API names them; apps listen at the LAN address all the same. */
export interface StandinNetwork {
  /** The host's end of a session's socket. */
  readonly reached: string | null;
  /** Addresses of its interfaces, in their order; loopback and container bridges are left out. */
  readonly inUse: readonly string[];
}

/** One call as the stand-in received it, secrets masked. */
export interface RecordedCall {
  /** Counts from 1 since the stand-in started. */
  readonly sequence: number;
  /** UTC ms. */
  readonly at: number;
  readonly method: string;
  readonly id: string | number | null;
  readonly params: readonly unknown[];
}
