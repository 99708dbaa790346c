/** SMB shares and the service that serves them, as each release has them (docs/host-api.md, sections 8 and 12). */
import { z } from "zod";
import type { Host } from "../../engine/ports/host.ts";
import type { RunJob } from "./jobs.ts";
import type { Session } from "./session.ts";

const Share = z.object({ name: z.string(), path: z.string() });
const Service = z.object({ state: z.string(), enable: z.boolean() });

const SMB = "cifs";

/** ms: the host itself waits for a service this long. */
const START_MS = 120_000;

type SharesPart = Pick<Host, "shares" | "createShare" | "sharesService" | "startShares" | "enableShares">;

/** The part of the port that deals with shares. */
export function createShares(session: Session, runJob: RunJob): SharesPart {
  const isOld = async () => (await session.version()).release === "25.04";
  return {
    shares: () => session.call("sharing.smb.query", [], z.array(Share)),
    async createShare({ name, path }) {
      // Apps use the folder too.
      const purpose = (await isOld()) ? "MULTI_PROTOCOL_NFS" : "MULTIPROTOCOL_SHARE";
      await session.call("sharing.smb.create", [{ name, path, purpose }], z.unknown());
    },
    async sharesService() {
      const [found] = await session.call("service.query", [[["service", "=", SMB]]], z.array(Service));
      return { running: found?.state === "RUNNING", enabled: found?.enable === true };
    },
    async startShares(signal) {
      // A service that does not come up is no error of either call, but the answer false.
      if (await isOld()) return session.call("service.control", [SMB], z.boolean(), { timeoutMs: START_MS });
      return (await runJob("service.control", ["START", SMB], signal)) === true;
    },
    async enableShares() {
      await session.call("service.update", [SMB, { enable: true }], z.unknown());
    },
  };
}
