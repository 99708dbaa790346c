import { isIP } from "node:net";
import type { Actor } from "../engine/api.ts";
import type { Caller } from "./schemas/system/sessions.ts";

/** Whoever sends a request to a server of one token: a browser's session, or the token itself where there is one. */
export function nameCaller({ client, session }: Caller, hasToken: boolean): Actor {
  // Behind a proxy the address is what a header says.
  const from = isIP(client) === 0 ? "an unknown address" : client;
  if (session !== null) return { id: `session ${session}`, name: `a browser at ${from}`, how: "page" };
  const id = hasToken ? "token" : "anybody";
  return { id, name: `${hasToken ? "the token" : "somebody"} at ${from}`, how: "API" };
}
