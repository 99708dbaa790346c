/** What `npm run try-host` is told on its command line. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { HostTls } from "../../src/adapters/host-rpc/tls.ts";
import { readLocalRoot } from "../../src/cli/options/local-root.ts";
import { readMessage } from "../../src/core/json/read-message.ts";
import { LOCATIONS } from "../../src/core/script/script-words.ts";

export interface TryOptions {
  /** `wss://NAS`; `ws://` for a stand-in alone. */
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  readonly tls?: HostTls;
  readonly trustPlaintext: boolean;
  /** A location id of install scripts, and the host's path for it. */
  readonly location: { readonly id: string; readonly path: string };
  /** Absolute path at which this machine sees the host's root. */
  readonly localRoot?: string;
  /** Where the report is written; it does not exist yet. */
  readonly report: string;
  /** Nothing is asked. */
  readonly yes: boolean;
}

/** The command line can't be understood; the message says what is wrong, the usage is printed below it. */
export class UsageError extends Error {}

export const USAGE = `npm run try-host -- --host wss://ADDRESS --api-key-file FILE --location NAME=/mnt/POOL/DATASET [OPTIONS]

Installs a small app on a TrueNAS host, changes it, takes it back and removes it, checks each effect on the host,
cleans up, and writes a report without secrets. It says first what it will do, and asks.

  --host ADDRESS        the host, wss://ADDRESS
  --api-key-file FILE   file that holds the API key
  --host-user NAME      the account the key belongs to (truenas_admin)
  --location NAME=PATH  a location (${LOCATIONS.slice(0, 3).join(", ")}, ...) and a dataset of the host for it
  --local-root DIR      where this machine sees the host's files: its /mnt/x is DIR/mnt/x here
  --ca FILE             certificate authority of the host (PEM)
  --fingerprint HEX     SHA-256 fingerprint of the host's certificate
  --insecure            accept any certificate; with ws:// only for a stand-in
  --report FILE         the report (slipway-try-host-<time>.json)
  --yes                 do not ask
`;

/** Parses the arguments; `now` names the report. Throws `UsageError`. */
export function parseOptions(args: readonly string[], now: Date): TryOptions {
  const values = parseValues(args);
  const url = required(values.host, "--host");
  const isPlain = url.startsWith("ws://");
  if (!isPlain && !url.startsWith("wss://")) throw new UsageError(`"${url}" is not a host: use wss://ADDRESS`);
  if (isPlain && values.insecure !== true) {
    throw new UsageError(
      "a real host revokes an API key it is sent over ws://: use wss:// (--insecure for a stand-in)",
    );
  }
  const location = parseLocation(required(values.location, "--location"));
  const report = resolve(values.report ?? `slipway-try-host-${now.toISOString().replaceAll(/[:.]/g, "-")}.json`);
  if (existsSync(report)) throw new UsageError(`"${report}" exists: name another file with --report`);
  const root = values["local-root"];
  const localRoot = root === undefined ? undefined : readRoot(root, location);
  return {
    url,
    username: values["host-user"] ?? "truenas_admin",
    apiKey: readFile(required(values["api-key-file"], "--api-key-file")).trim(),
    ...parseTls(values),
    trustPlaintext: isPlain,
    location,
    ...(localRoot !== undefined && { localRoot }),
    report,
    yes: values.yes === true,
  };
}

function parseValues(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ host: text, "api-key-file": text, "host-user": text, location: text, "local-root": text },
        ...{ ca: text, fingerprint: text, insecure: flag, report: text, yes: flag },
      },
    }).values;
  } catch (error) {
    throw new UsageError(readMessage(error));
  }
}

function required(value: string | undefined, option: string): string {
  if (value === undefined) throw new UsageError(`${option} is missing`);
  return value;
}

function parseLocation(text: string): { id: string; path: string } {
  const [, id = "", path = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!LOCATIONS.some((known) => known === id)) {
    throw new UsageError(
      `"${text}" names no location: use NAME=/mnt/POOL/DATASET, NAME one of ${LOCATIONS.join(", ")}`,
    );
  }
  if (!/^\/mnt\/[^/]+\/[^/]/.test(path) || path.split("/").includes("..")) {
    throw new UsageError(`"${path}" is not a dataset below a pool: use /mnt/POOL/DATASET`);
  }
  return { id, path: path.replace(/\/+$/, "") };
}

function readRoot(dir: string, { id, path }: TryOptions["location"]): string | undefined {
  try {
    return readLocalRoot(dir, { [id]: path });
  } catch (error) {
    throw new UsageError(`--local-root: ${readMessage(error)}`);
  }
}

function parseTls(values: { ca?: string; fingerprint?: string; insecure?: boolean }): { tls?: HostTls } {
  const { ca, fingerprint, insecure } = values;
  if ([ca, fingerprint, insecure].filter((way) => way !== undefined).length > 1) {
    throw new UsageError("--ca, --fingerprint and --insecure exclude each other");
  }
  if (ca !== undefined) return { tls: { ca: readFile(ca) } };
  if (fingerprint !== undefined) return { tls: { fingerprint } };
  return insecure === true ? { tls: { insecure: true } } : {};
}

function readFile(file: string): string {
  try {
    if (statSync(file).size > 100_000) throw new Error("it is larger than 100 KB");
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`can't read "${file}": ${readMessage(error)}`);
  }
}
