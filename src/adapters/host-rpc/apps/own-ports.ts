/** Ports of the host's own interfaces: no script reaches them, whatever an app says. */
import { z } from "zod";
import { HostError, isHostAway } from "../../../engine/host-error.ts";
import type { Clock } from "../../../engine/ports/environment.ts";
import { rememberFor } from "../../../engine/system/remember-for.ts";
import type { Session } from "../session.ts";

/** Ms the host's address and the ports of its own interfaces are kept: they change when a person changes them. */
export const OWN_MS = 60_000;

const General = z.object({ ui_port: z.int().nullish(), ui_httpsport: z.int().nullish() });

export interface OwnPorts {
  readonly ports: readonly number[];
  /** False if the host refuses to say which ports its web interface has, or says it in an unknown form. */
  readonly isWhole: boolean;
}

/** Asks for the port this session came in by and those of the host's web interface, at most once a minute. */
export function createOwnPorts(session: Session, clock: Clock, sessionPort: number): () => Promise<OwnPorts> {
  return rememberFor(clock, OWN_MS, async () => {
    try {
      const { ui_port: plain, ui_httpsport: secure } = await session.call("system.general.config", [], General);
      return { ports: [sessionPort, ...[plain, secure].filter((port) => port != null)], isWhole: true };
    } catch (error) {
      if (isHostAway(error) || !(error instanceof HostError) || error.fault.retryable) throw error;
      return { ports: [sessionPort], isWhole: false };
    }
  });
}
