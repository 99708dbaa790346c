import { z } from "zod";
import { HostError } from "../../../engine/host-error.ts";
import type { Clock } from "../../../engine/ports/environment.ts";
import type { OddRows } from "../odd-rows.ts";
import { askLanAddress } from "../read-facts.ts";
import type { Session } from "../session.ts";
import { listPortsAt, PublishingApp } from "./app-entry.ts";

/** Ms the host's address and the ports of its own interfaces are kept: they change when a person changes them. */
const OWN_MS = 60_000;

const General = z.object({ ui_port: z.int().nullish(), ui_httpsport: z.int().nullish() });

/**
 * Asks for the ports scripts may reach: what running apps publish on the LAN address, less the port this session came
 * in by and those the host's web interface has.
 */
export function createAppPorts(
  session: Session,
  clock: Clock,
  { sessionPort, loopback, odd }: { readonly sessionPort: number; readonly loopback: boolean; readonly odd: OddRows },
): () => Promise<readonly number[]> {
  let own: { readonly found: Promise<Own>; readonly until: number } | null = null;

  function askHostItself(): Promise<Own> {
    if (own !== null && own.until > clock.monotonic()) return own.found;
    const found = Promise.all([askLanAddress(session, { loopback, odd }), askInterfacePorts(session)]).then(
      ([address, ports]) => ({
        address,
        ports: [sessionPort, ...ports],
      }),
    );
    const mine = { found, until: clock.monotonic() + OWN_MS };
    own = mine;
    found.catch(() => {
      if (own === mine) own = null;
    });
    return found;
  }

  return async () => {
    const [apps, { address, ports }] = await Promise.all([
      session.call("app.query", [[], { select: ["name", "active_workloads"] }], odd.list("app.query", PublishingApp)),
      askHostItself(),
    ]);
    return listPortsAt(address, apps).filter((port) => !ports.includes(port));
  };
}

interface Own {
  readonly address: string;
  readonly ports: readonly number[];
}

/** Ports of the web interface. A host that does not tell, or not this account, leaves those nobody publishes anyway. */
async function askInterfacePorts(session: Session): Promise<readonly number[]> {
  try {
    const { ui_port: plain, ui_httpsport: secure } = await session.call("system.general.config", [], General);
    return [plain, secure].filter((port) => port != null);
  } catch (error) {
    if (error instanceof HostError && MAY_NOT_TELL.has(error.code)) return [];
    throw error;
  }
}

const MAY_NOT_TELL: ReadonlySet<string> = new Set(["HOST_METHOD_UNKNOWN", "HOST_ACCESS_DENIED"]);
