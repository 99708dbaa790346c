import type { EngineHealth, Readiness } from "../api.ts";
import { countQuarantined } from "../runtime/count-quarantined.ts";
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
  const standing = store.writable();
  const { after, rolledBack } = store.opened;
  return {
    ok: asked !== null && isolation.usable && standing.ok,
    sandbox: isolation,
    host: { reachable: asked !== null, ...(asked !== null && { appsService: asked.status }) },
    store: {
      writable: standing.ok,
      ...(!standing.ok && { code: standing.code, detail: standing.detail }),
      after,
      rolledBack,
    },
    tasks: {
      unfinished: unfinished.filter(({ parent }) => parent === null).length,
      quarantined: countQuarantined(
        store,
        unfinished.filter(({ quarantine }) => quarantine !== null),
      ),
    },
  };
}

/** Whether requests can be taken: what earlier lives left is taken over, and the store takes turns. */
export function readiness(
  { store }: Pick<MethodDeps, "store">,
  life: { readonly recovered: boolean; readonly closed: boolean },
): Readiness {
  if (life.closed) return { ready: false, reasons: ["the engine is closed"] };
  const standing = store.writable();
  const reasons = [
    ...(life.recovered ? [] : ["what an earlier run of the engine left is still being taken over"]),
    ...(standing.ok ? [] : [`the database takes no turn (${standing.code})`]),
  ];
  return { ready: reasons.length === 0, reasons };
}
