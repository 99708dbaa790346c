/** Ports of the host's own interfaces: no script reaches them, whatever an app says. */
import { z } from "zod";
import { HostError } from "../../../engine/host-error.ts";
import type { Clock } from "../../../engine/ports/environment.ts";
import { rememberFor } from "../../../engine/surfaces/remember-for.ts";
import type { Session } from "../session.ts";

/** Ms the host's address and the ports of its own interfaces are kept: they change when a person changes them. */
export const OWN_MS = 60_000;

const General = z.object({ ui_port: z.int().nullish(), ui_httpsport: z.int().nullish() });

export interface OwnPorts {
  readonly ports: readonly number[];
  /** False if the host, or this account, does not say which ports its web interface has. */
  readonly isWhole: boolean;
}

/** Asks for the port this session came in by and those of the host's web interface, at most once a minute. */
export function createOwnPorts(session: Session, clock: Clock, sessionPort: number): () => Promise<OwnPorts> {
  return rememberFor(clock, OWN_MS, async () => {
    try {
      const { ui_port: plain, ui_httpsport: secure } = await session.call("system.general.config", [], General);
      return { ports: [sessionPort, ...[plain, secure].filter((port) => port != null)], isWhole: true };
    } catch (error) {
      if (error instanceof HostError && MAY_NOT_TELL.has(error.code)) return { ports: [sessionPort], isWhole: false };
      throw error;
    }
  });
}

const MAY_NOT_TELL: ReadonlySet<string> = new Set(["HOST_METHOD_UNKNOWN", "HOST_ACCESS_DENIED"]);
