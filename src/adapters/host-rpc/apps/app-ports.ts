import type { Clock } from "../../../engine/ports/environment.ts";
import { rememberFor } from "../../../engine/system/remember-for.ts";
import type { OddRows } from "../odd-rows.ts";
import { askLanAddress } from "../read-facts.ts";
import type { Session } from "../session.ts";
import { listPortsAt, PublishingApp } from "./app-entry.ts";
import { OWN_MS, type OwnPorts } from "./own-ports.ts";

/**
 * Asks for the ports scripts may reach: what running apps publish on the LAN address, less those of the host's own
 * interfaces. A host that does not say which ports its web interface has publishes none of them for an app.
 */
export function createAppPorts(
  session: Session,
  clock: Clock,
  {
    askOwnPorts,
    loopback,
    odd,
  }: { readonly askOwnPorts: () => Promise<OwnPorts>; readonly loopback: boolean; readonly odd: OddRows },
): () => Promise<readonly number[]> {
  const askAddress = rememberFor(clock, OWN_MS, () => askLanAddress(session, { loopback, odd }));
  return async () => {
    const [apps, address, own] = await Promise.all([
      session.call("app.query", [[], { select: ["name", "active_workloads"] }], odd.list("app.query", PublishingApp)),
      askAddress(),
      askOwnPorts(),
    ]);
    return listPortsAt(address, apps).filter((port) => !own.ports.includes(port));
  };
}
