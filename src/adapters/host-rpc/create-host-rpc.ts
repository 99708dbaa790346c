import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import { HostError } from "../../engine/host-error.ts";
import type { Clock, Logger } from "../../engine/ports/environment.ts";
import type { Host } from "../../engine/ports/host.ts";
import { createHarmlessLogger } from "../../engine/system/harmless-logger.ts";
import { readPort } from "../url-parts.ts";
import { createAppPorts } from "./apps/app-ports.ts";
import { createApps } from "./apps/apps.ts";
import { createOwnPorts } from "./apps/own-ports.ts";
import { createFault } from "./faults.ts";
import { createJobs } from "./jobs.ts";
import { createKeyMask } from "./login.ts";
import { OddRows } from "./odd-rows.ts";
import { readAddresses, readFacts } from "./read-facts.ts";
import { createSession } from "./session.ts";
import { createShares } from "./shares.ts";
import { createStorage } from "./storage.ts";
import { DEFAULT_TIMING, type SessionTiming } from "./timing.ts";
import { type HostTls, trustFault } from "./tls.ts";

export interface HostRpcOptions {
  /** `wss://HOST`, with or without `/api/current`; a path that names a version pins it. */
  readonly url: string;
  readonly username: string;
  /** `<id>-<secret>`. */
  readonly apiKey: string;
  readonly tls?: HostTls;
  /** Vouches that the host at a `ws://` address is a stand-in. A real host revokes a key it sees in plain text. */
  readonly trustPlaintext?: boolean;
  /** Configured locations: id to host path. */
  readonly locations: Readonly<Record<string, string>>;
  /** Absolute path at which this machine sees the host's root: its `/mnt/x` is `localRoot/mnt/x` here. Default: `/`. */
  readonly localRoot?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** New JSON-RPC ids; default: random UUIDs. */
  readonly newId?: () => string;
  /** 0 <= n < 1, for the jitter of reconnects. */
  readonly random?: () => number;
  readonly timing?: Partial<SessionTiming>;
}

/**
 * The storage host over JSON-RPC 2.0 on a WebSocket (docs/host-api.md). Connects at the first call. Throws a `HostError`
 * with `HOST_ADDRESS_INVALID`, `HOST_TRUST_INVALID` or, for an API key over `ws://`, `HOST_PLAINTEXT_REFUSED`.
 */
export function createHostRpc(options: HostRpcOptions): Host {
  const { username, apiKey, clock, locations, localRoot } = options;
  const logger = createHarmlessLogger(options.logger);
  const url = parseSocketUrl(options.url);
  if (url.protocol === "ws:" && options.trustPlaintext !== true) {
    const words = `the API key is not sent to "${url.host}": the connection would not be encrypted`;
    throw new HostError(createFault("HOST_PLAINTEXT_REFUSED", words, false), "no");
  }
  const faulty = options.tls === undefined ? null : trustFault(options.tls);
  if (faulty !== null) throw new HostError(createFault("HOST_TRUST_INVALID", faulty, false), "no");
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const credentials = { username, apiKey };
  const newId = options.newId ?? randomUUID;
  const session = createSession({
    url,
    credentials,
    tls: options.tls,
    timing,
    clock,
    logger,
    newId,
    random: options.random ?? Math.random,
  });
  // Only a stand-in is in a loopback network.
  const loopback = options.trustPlaintext === true;
  const odd = new OddRows(logger);
  const storage = createStorage(session);
  const askOwnPorts = createOwnPorts(session, clock, readPort(url));
  const apps = createApps(session, clock, odd, { stat: storage.stat, askOwnPorts });
  const jobs = createJobs(session, clock, { pollMs: timing.pollMs, newId }, createKeyMask(credentials));
  return {
    ...storage,
    ...createShares(session, jobs.runJob),
    ...apps,
    ...jobs.port,
    appPorts: createAppPorts(session, clock, { askOwnPorts, loopback, odd }),
    addresses: () => readAddresses(session),
    facts: () => readFacts(session, apps.apps, { locations, loopback, odd }),
    // Normalised as an absolute path first, so that no `..` leaves the root.
    localPath: (path) => (localRoot === undefined ? path : localRoot + posix.resolve("/", path)),
    connection: () => session.standing(),
    close: () => session.close(),
  };
}

function parseSocketUrl(text: string): URL {
  const url = URL.parse(text);
  const protocol = url === null ? undefined : SOCKET_PROTOCOLS[url.protocol];
  if (url === null || protocol === undefined || url.host === "")
    throw new HostError(
      createFault("HOST_ADDRESS_INVALID", `"${text}" is not the address of a host, e.g. wss://nas.local`, false),
      "no",
    );
  url.protocol = protocol;
  return url;
}

const SOCKET_PROTOCOLS: Readonly<Record<string, string>> = {
  "ws:": "ws:",
  "wss:": "wss:",
  "http:": "ws:",
  "https:": "wss:",
};
