/**
 * Connections a server keeps open: each costs memory and a descriptor, of which the database and the scripts need some
 * too. An address is counted as itself and as its network (`listCounted`).
 */
import type { Server } from "node:net";
import { listCounted } from "./client-address.ts";

export interface ConnectionLimits {
  /** Of all clients. */
  readonly all: number;
  /** Of one address: what it holds open, and never reads from, it takes from nobody else. */
  readonly ofAddress: number;
  /** Of one address of which no request was let in yet. Default: as many as of any. */
  readonly ofStranger?: number;
  /** Whether an address is that of a proxy, from which everybody comes. Default: none is. */
  readonly isProxy?: (address: string) => boolean;
}

/** Says that a request of this address was let in. */
export type LetIn = (address: string) => void;

/** At most this many addresses are remembered as let in. */
const KNOWN = 1_000;

/** Closes each connection beyond the limits as it comes. */
export function limitConnections(server: Server, limits: ConnectionLimits): LetIn {
  const { all, ofAddress, ofStranger = ofAddress, isProxy = () => false } = limits;
  const open = new Map<string, number>();
  const known = new Set<string>();
  server.maxConnections = all;
  server.on("connection", (socket) => {
    const { remoteAddress = "" } = socket;
    if (isProxy(remoteAddress)) return;
    const counted = listCounted(remoteAddress);
    const limit = counted.some(({ name }) => known.has(name)) ? ofAddress : ofStranger;
    if (counted.some(({ name, times }) => (open.get(name) ?? 0) >= limit * times)) {
      socket.destroy();
      return;
    }
    for (const { name } of counted) open.set(name, (open.get(name) ?? 0) + 1);
    socket.once("close", () => {
      for (const { name } of counted) {
        const left = (open.get(name) ?? 1) - 1;
        if (left === 0) open.delete(name);
        else open.set(name, left);
      }
    });
  });
  return (address) => {
    // Its own name alone: its network's other addresses stay strangers.
    const name = listCounted(address)[0]?.name ?? address;
    const [oldest] = known;
    if (oldest !== undefined && known.size >= KNOWN && !known.has(name)) known.delete(oldest);
    known.add(name);
  };
}
