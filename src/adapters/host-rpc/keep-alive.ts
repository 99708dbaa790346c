import type { Clock, Logger } from "../../engine/ports/environment.ts";
import type { Connection } from "./connection.ts";
import type { SessionMethod } from "./host-calls.ts";
import type { SessionTiming } from "./timing.ts";

export interface KeepAliveDeps {
  /** The host as the log calls it. */
  readonly url: URL;
  readonly timing: Pick<SessionTiming, "pingMs" | "pongMs">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
}

/** Pings while the socket lives; a host that does not answer has its socket ended, so that nobody waits on it. */
export function keepAlive(
  connection: Pick<Connection, "call" | "ended" | "terminate">,
  { url, timing, clock, logger, newId }: KeepAliveDeps,
): void {
  let cancel = () => {};
  const sendNext = () => {
    cancel = clock.after(timing.pingMs, () => {
      const method: SessionMethod = "core.ping";
      const ping = { id: newId(), method, params: [], timeoutMs: timing.pongMs };
      connection.call(ping).then(sendNext, (error: unknown) => {
        logger.warn({ host: url.host, error: String(error) }, "the host does not answer a ping");
        connection.terminate();
      });
    });
  };
  sendNext();
  void connection.ended.then(() => cancel());
}
