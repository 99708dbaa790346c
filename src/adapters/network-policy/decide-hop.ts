/** Where one hop may go: its name looked up only where that can change the answer. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { NetworkPolicy, ScriptIoRequest } from "../../../sandbox/contract.ts";
import { listListeningPorts } from "../../engine/system/listening-ports.ts";
import { readHost } from "../url-parts.ts";
import { asksPortsFirst, type Decision, decide, isLan, refuseLanPort, refuseUnresolved } from "./decide.ts";

/** The world below HTTP; replaced in tests of names and addresses. */
export interface NetworkPorts {
  /** Addresses of a host name; rejects as node:dns does. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** Addresses of this machine's interfaces. */
  ownAddresses(): readonly string[];
  /** Ports this engine listens on; none of them is reached. */
  ownPorts(): readonly number[];
}

/** The system's resolver and interfaces. */
export const SYSTEM_NETWORK: NetworkPorts = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  ownAddresses: () => {
    // thousands of requests are refused in one turn of the event loop: reading them for each holds the thread
    if (addressesNow === null) {
      addressesNow = readAddresses();
      setImmediate(() => {
        addressesNow = null;
      });
    }
    return addressesNow;
  },
  ownPorts: listListeningPorts,
};

/** Addresses of this machine's interfaces as they are in this turn of the event loop; null: not read in it. */
let addressesNow: readonly string[] | null = null;

function readAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}

/** Decides on one hop. Rejects as the resolver does. */
export async function decideHop(
  request: ScriptIoRequest,
  url: URL,
  { policy, loopback }: { readonly policy: NetworkPolicy; readonly loopback: boolean },
  ports: NetworkPorts,
): Promise<Decision> {
  const known = {
    method: request.method,
    url,
    lanIp: policy.lanIp,
    internet: policy.internet,
    readOnly: policy.readOnly,
    ownAddresses: [...ports.ownAddresses(), ...(policy.hostAddresses ?? [])],
    ownPorts: ports.ownPorts(),
    loopback,
  };
  const early = refuseUnresolved(known);
  if (early !== null) return early;
  let lanPorts: readonly number[] | null = null;
  if (asksPortsFirst(url)) {
    lanPorts = await policy.lanPorts();
    const refused = refuseLanPort({ ...known, lanPorts });
    if (refused !== null) return refused;
  }
  const name = readHost(url);
  const addresses = isIP(name) === 0 ? await ports.resolve(name) : [name];
  if (lanPorts === null && addresses.some((address) => isLan(address, known))) lanPorts = await policy.lanPorts();
  return decide({ ...known, addresses, lanPorts: lanPorts ?? [] });
}
