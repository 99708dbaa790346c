import { HostError } from "../../host-error.ts";
import { forgetSetAside, readSetAside } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";

/**
 * Gives a dataset its name back that was put aside and that nothing has taken the place of: a rollback that ends here
 * leaves no app without its data. Where the host refuses it the note stays, and the app is not started.
 */
export async function putBack(
  { host, store, logger }: Pick<EffectDeps, "host" | "store" | "logger">,
  appId: string,
  { dataset, aside }: { readonly dataset: string; readonly aside: string },
): Promise<void> {
  if (readSetAside(store, appId)[dataset]?.includes(aside) !== true) return;
  try {
    if ((await host.dataset(aside)) === null || (await host.dataset(dataset)) !== null) return;
    await host.renameDataset(aside, dataset);
    forgetSetAside(store, appId, dataset, aside);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    logger.warn({ app: appId, dataset, aside, code: error.code }, "a dataset that was put aside can't be put back");
  }
}
