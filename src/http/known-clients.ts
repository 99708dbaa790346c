/** Clients of which a request was accepted: they are not refused for what others of their network or proxy do. */
import { type Client, type Counted, countClient, nameAddress } from "./client-address.ts";

/** Most addresses that are remembered. */
const LIMIT = 1_000;

/** Addresses of which a request was accepted, the newest 1,000. */
export class KnownClients {
  readonly #names = new Set<string>();

  has(address: string): boolean {
    return this.#names.has(nameAddress(address));
  }

  add(address: string): void {
    const name = nameAddress(address);
    this.#names.delete(name);
    const [oldest] = this.#names;
    if (oldest !== undefined && this.#names.size >= LIMIT) this.#names.delete(oldest);
    this.#names.add(name);
  }

  /** The names a client is counted under: a known one under its own alone. */
  count(client: Client): readonly Counted[] {
    return this.has(client.address) ? [{ name: nameAddress(client.address), times: 1 }] : countClient(client);
  }
}
