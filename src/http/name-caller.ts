import { isIP } from "node:net";
import type { Actor } from "../engine/api.ts";
import type { Sessions } from "./sessions.ts";

/** Whoever sends a request to a server of one token: a browser's session, or the token itself. */
export function nameCaller(request: Request, client: string, sessions: Sessions | undefined): Actor {
  // Behind a proxy the address is what a header says.
  const from = isIP(client) === 0 ? "an unknown address" : client;
  const session = sessions?.findId(request.headers.get("cookie") ?? undefined, client) ?? null;
  if (session !== null) return { id: `session ${session}`, name: `a browser at ${from}`, how: "page" };
  const id = sessions === undefined ? "anybody" : "token";
  return { id, name: `${id === "token" ? "the token" : "somebody"} at ${from}`, how: "API" };
}
