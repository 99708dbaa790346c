/**
 * Connections a server keeps open: each costs memory and a descriptor, of which the database and the scripts need some
 * too.
 */
import type { Server } from "node:net";

export interface ConnectionLimits {
  /** Of all clients. */
  readonly all: number;
  /** Of one address: what it holds open, and never reads from, it takes from nobody else. */
  readonly ofAddress: number;
}

/** Closes each connection beyond the limits as it comes. */
export function limitConnections(server: Server, { all, ofAddress }: ConnectionLimits): void {
  const open = new Map<string, number>();
  server.maxConnections = all;
  server.on("connection", (socket) => {
    const { remoteAddress: address = "" } = socket;
    const others = open.get(address) ?? 0;
    if (others >= ofAddress) {
      socket.destroy();
      return;
    }
    open.set(address, others + 1);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
