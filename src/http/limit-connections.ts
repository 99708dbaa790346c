/**
 * Connections a server keeps open: each costs memory and a descriptor, of which the database and the scripts need some
 * too. A stranger is counted as itself and as its network (`countClient`), a known client as itself alone.
 */
import type { Server, Socket } from "node:net";
import { nameAddress } from "./client-address.ts";
import { KnownClients } from "./known-clients.ts";

export interface ConnectionLimits {
  /** Of all clients. */
  readonly all: number;
  /** Of one address. */
  readonly ofAddress: number;
  /** Of one address before its first accepted request. Default: `ofAddress`. */
  readonly ofStranger?: number;
  /**
   * Of all addresses before their first accepted request. With `ofAddress` it stays below `all`, so that one known client
   * and all strangers leave some to the others. Default: `all`.
   */
  readonly ofStrangers?: number;
}

/** Notes that a request of this address was accepted. */
export type LetIn = (address: string) => void;

/** Closes each connection beyond the limits as it comes. */
export function limitConnections(server: Server, limits: ConnectionLimits, known = new KnownClients()): LetIn {
  const { all, ofAddress, ofStranger = ofAddress, ofStrangers = all } = limits;
  const open = new Map<string, number>();
  const strangers = new Strangers();
  server.maxConnections = all;
  server.on("connection", (socket) => {
    const { remoteAddress = "" } = socket;
    const isKnown = known.has(remoteAddress);
    const counted = known.count({ address: remoteAddress });
    const own = nameAddress(remoteAddress);
    const limit = isKnown ? ofAddress : ofStranger;
    const isOver = counted.some(({ name, times }) => (open.get(name) ?? 0) >= limit * times);
    if (isOver || (!isKnown && strangers.size >= ofStrangers)) {
      socket.destroy();
      return;
    }
    if (!isKnown) strangers.add(own, socket);
    for (const { name } of counted) open.set(name, (open.get(name) ?? 0) + 1);
    socket.once("close", () => {
      strangers.delete(own, socket);
      for (const { name } of counted) {
        const left = (open.get(name) ?? 1) - 1;
        if (left === 0) open.delete(name);
        else open.set(name, left);
      }
    });
  });
  return (address) => {
    // Only its own name: the other addresses of its network stay strangers.
    strangers.forget(nameAddress(address));
    known.add(address);
  };
}

/** Open connections of addresses without an accepted request. */
class Strangers {
  readonly #sockets = new Map<string, Set<Socket>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(address: string, socket: Socket): void {
    const sockets = this.#sockets.get(address) ?? new Set();
    this.#sockets.set(address, sockets.add(socket));
    this.#size += 1;
  }

  delete(address: string, socket: Socket): void {
    const sockets = this.#sockets.get(address);
    if (sockets?.delete(socket) !== true) return;
    this.#size -= 1;
    if (sockets.size === 0) this.#sockets.delete(address);
  }

  /** Stops counting an address as a stranger. */
  forget(address: string): void {
    this.#size -= this.#sockets.get(address)?.size ?? 0;
    this.#sockets.delete(address);
  }
}
