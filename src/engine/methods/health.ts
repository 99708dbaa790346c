import type { EngineHealth } from "../api.ts";
import type { MethodDeps } from "./deps.ts";

/** What works and what does not; nothing here throws. */
export async function health({ host, store, sandbox, logger }: MethodDeps): Promise<EngineHealth> {
  const [asked, isolation] = await Promise.all([
    host.appsService().catch((error: unknown) => {
      logger.debug({ error }, "the host was not asked for its health");
      return null;
    }),
    sandbox.health(),
  ]);
  const unfinished = store.unfinished();
  const writable = store.writable();
  return {
    ok: asked !== null && isolation.usable && writable.ok,
    sandbox: isolation,
    host: { reachable: asked !== null, ...(asked !== null && { appsService: asked.status }) },
    store: { writable: writable.ok, ...(writable.detail !== undefined && { detail: writable.detail }) },
    tasks: {
      unfinished: unfinished.filter(({ parent }) => parent === null).length,
      quarantined: unfinished.filter(({ quarantine }) => quarantine !== null).length,
    },
  };
}
