import type { DrainStanding, EngineHealth, HostHealth, Readiness } from "../api.ts";
import { countQuarantined } from "../runtime/count-quarantined.ts";
import { answerIfSoon } from "../standing/answer-promptly.ts";
import type { HostStanding } from "../standing/watch-host.ts";
import type { MethodDeps } from "./deps.ts";

/** Ms a sign of life of the host is waited for: one that is there and well answers sooner. */
const SIGN_MS = 50;

/** Health from what is known: the host is asked, and not waited for. Nothing here throws. */
export async function readHealth(
  { watch, clock, store, sandbox }: MethodDeps,
  draining: DrainStanding | null,
  most: number,
): Promise<EngineHealth> {
  const [isolation] = await Promise.all([sandbox.health(), answerIfSoon(clock, watch.look(), SIGN_MS)]);
  const hostHealth = describeHost(watch.standing());
  const unfinished = store.unfinished();
  const standing = store.writable();
  const { after, rolledBack } = store.opened;
  return {
    ...(draining !== null && { draining }),
    ok: hostHealth.reachable && isolation.usable && standing.ok,
    sandbox: isolation,
    host: hostHealth,
    store: {
      writable: standing.ok,
      ...(!standing.ok && { code: standing.code, detail: standing.detail }),
      after,
      rolledBack,
      ...readSize(store, most),
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

/** Nothing here throws: a store that is closed or can't be read has no size. */
function readSize(store: Pick<MethodDeps["store"], "usedBytes">, most: number): Pick<EngineHealth["store"], "size"> {
  try {
    return { size: { used: store.usedBytes(), most } };
  } catch {
    return {};
  }
}

function describeHost(standing: HostStanding): HostHealth {
  const { reachable, fault, since, attempted, answered, appsService } = standing;
  const toIso = (at: number) => new Date(at).toISOString();
  return {
    reachable,
    ...(appsService !== null && { appsService }),
    ...(fault !== null && { code: fault.code, detail: fault.reason }),
    ...(since !== null && { since: toIso(since) }),
    ...(attempted !== null && { lastAttempt: toIso(attempted) }),
    ...(answered !== null && { lastAnswer: toIso(answered) }),
  };
}

/** Whether requests can be taken: what earlier lives left is taken over, and the store takes turns. */
export function readReadiness(
  { store }: Pick<MethodDeps, "store">,
  life: { readonly recovered: boolean; readonly closed: boolean; readonly draining: boolean },
): Readiness {
  if (life.closed) return { ready: false, reasons: ["the engine is closed"] };
  const standing = store.writable();
  const reasons = [
    ...(life.draining ? ["the engine is about to close and takes no new work"] : []),
    ...(life.recovered ? [] : ["what an earlier run of the engine left is still being taken over"]),
    ...(standing.ok ? [] : [`the database takes no turn (${standing.code})`]),
  ];
  return { ready: reasons.length === 0, reasons };
}
