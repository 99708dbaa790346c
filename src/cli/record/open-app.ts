/** The real app a recording talks to: one address and one port of it. */
import { lookup } from "node:dns/promises";
import { isLanAddress, isLoopback, normalizeAddress } from "../../adapters/network-policy/addresses.ts";
import { readHost, readPort } from "../../adapters/url-parts.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";

/** Where the app is. */
export interface RealApp {
  /** With the address in the place of a name: no script looks a name up. */
  readonly baseUrl: string;
  readonly address: string;
  readonly port: number;
}

/** Addresses at which clouds hand out credentials, beside those of the link-local network, which nothing reaches. */
const METADATA: ReadonlySet<string> = new Set([
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

/** Finds the app. Throws `CLI_USAGE` for what is no http(s) address, and for one that is not this machine's unless allowed. */
export async function openRealApp(text: string, isLanAllowed: boolean): Promise<RealApp> {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new EngineError("CLI_USAGE", `--app "${text}" is not an http(s) address, e.g. http://127.0.0.1:8096`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new EngineError("CLI_USAGE", "--app has a user name or a password in it: give them as inputs, by --context");
  }
  if (url.search !== "" || url.hash !== "") throw new EngineError("CLI_USAGE", "--app takes no query and no fragment");
  const address = await findAddress(readHost(url));
  refuseAddress(text, address, isLanAllowed);
  url.hostname = address.includes(":") ? `[${address}]` : address;
  return { baseUrl: url.href.replace(/\/+$/, ""), address, port: readPort(url) };
}

async function findAddress(name: string): Promise<string> {
  try {
    return normalizeAddress((await lookup(name)).address);
  } catch (error) {
    throw new EngineError("CLI_USAGE", `--app names "${name}", which has no address: ${readMessage(error)}`);
  }
}

function refuseAddress(text: string, address: string, isLanAllowed: boolean): void {
  if (isLoopback(address)) return;
  if (METADATA.has(address) || !isLanAddress(address)) {
    throw new EngineError("CLI_USAGE", `--app "${text}" leads to ${address}, which is never recorded from`);
  }
  if (isLanAllowed) return;
  const message = `--app "${text}" leads to ${address}, which is not this machine: --allow-lan lets the script reach it`;
  throw new EngineError("CLI_USAGE", message);
}
