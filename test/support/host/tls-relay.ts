/** A TLS address in front of a plain one, as a real host offers it. */
import { readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { fileURLToPath } from "node:url";

const fixture = (name: string): string => fileURLToPath(new URL(`../../host/fixtures/${name}`, import.meta.url));

/** The relay's own certificate: self-made, for 127.0.0.1. */
export const RELAY_CA = fixture("host-cert.pem");

export interface TlsRelay {
  /** e.g. `wss://127.0.0.1:41234`. */
  readonly url: string;
  close(): void;
}

/** Relays to the host and port of a `ws://` address. */
export async function startTlsRelay(target: string): Promise<TlsRelay> {
  const { hostname, port } = new URL(target);
  const server = createServer(
    { cert: readFileSync(RELAY_CA), key: readFileSync(fixture("host-key.pem")) },
    (socket) => {
      const through = connect(Number(port), hostname);
      socket.on("error", () => through.destroy());
      through.on("error", () => socket.destroy());
      socket.pipe(through).pipe(socket);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");
  return { url: `wss://127.0.0.1:${address.port}`, close: () => server.close() };
}
