/**
 * Connections a server keeps open: each costs memory and a descriptor, of which the database and the scripts need some
 * too. Addresses are counted by what one neighbour has of them (`nameNetwork`).
 */
import type { Server } from "node:net";
import { nameNetwork } from "./client-address.ts";

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
    const network = nameNetwork(remoteAddress);
    const others = open.get(network) ?? 0;
    if (others >= (known.has(network) ? ofAddress : ofStranger)) {
      socket.destroy();
      return;
    }
    open.set(network, others + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
  return (address) => {
    const network = nameNetwork(address);
    const [oldest] = known;
    if (oldest !== undefined && known.size >= KNOWN && !known.has(network)) known.delete(oldest);
    known.add(network);
  };
}
