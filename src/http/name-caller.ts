import { isIP } from "node:net";
import type { Actor } from "../engine/api.ts";
import type { Caller } from "./schemas/system/sessions.ts";

/** The actor of a request to a server with one token: a browser's session, else the token's holder. */
export function nameCaller({ client, session }: Caller, hasToken: boolean): Actor {
  // Behind a proxy the address is what a header says.
  const from = isIP(client.address) === 0 ? "an unknown address" : client.address;
  if (session !== null) return { id: `session ${session}`, name: `a browser at ${from}`, how: "page" };
  const id = hasToken ? "token" : "anybody";
  return { id, name: `${hasToken ? "the token" : "somebody"} at ${from}`, how: "API" };
}
