import { readApp, readRollback } from "../../read-plan.ts";
import type { EffectHandler } from "../../runtime/effect.ts";
import { noteUndone } from "../../runtime/installations.ts";
import { readSetAside } from "../../vault/restore-points.ts";
import { readTextParam } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { listMadeDirectories } from "./made-directories.ts";
import { nameSwap } from "./name-swap.ts";
import { swapDataset } from "./swap-dataset.ts";

/**
 * `host.datasets.restore {appId}` -> `host.done {restored, setAside}` or `host.failed`: a clone of each snapshot takes its
 * dataset's place, which is put aside with all that was there; `host.restoring {restored, setAside}` tells so before.
 * Going back in place would destroy every newer snapshot, that of the present too.
 */
export function restoreDatasetsEffect(deps: EffectDeps): EffectHandler {
  const { store } = deps;
  return {
    class: "idempotent",
    async perform(params, run) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      const { datasets, stamp, since } = readRollback(store, run.rootId, params);
      const swaps = datasets.map((restored) => ({ ...restored, ...nameSwap(restored.dataset, stamp) }));
      const made = listMadeDirectories(store);
      const restored: string[] = [];
      const report = () => {
        const kept = readSetAside(store, app.appId);
        const noted = swaps.filter(({ dataset, aside }) => kept[dataset]?.includes(aside));
        return { restored: [...restored], setAside: noted.map(({ aside }) => aside) };
      };
      const tell = () => run.emit({ type: "host.restoring", ...report() });
      try {
        if (report().setAside.length > 0) tell();
        for (const swap of swaps) {
          await swapDataset(deps, run, swap, { app, made, tell });
          restored.push(swap.path);
          noteUndone(store, app.appId, { from: since, until: run.intendedAt });
          tell();
        }
        return { type: "host.done", ...report() };
      } catch (error) {
        const failure = toHostFailure(error);
        return { type: "host.failed", failure, ...report(), ...(restored.length > 0 && { done: true }) };
      }
    },
  };
}
