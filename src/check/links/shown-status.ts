/** How the panel of an app shows a link. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine, PairingStatus } from "../../engine/api.ts";
import type { PlayableLink } from "./list-links.ts";

/** Ms within which a status is shown: what the host has answered is kept for a second. */
const SHOWN_MS = 3_000;

/**
 * The status under which the app `of` shows `other`: `status` as soon as it does, else what is shown in the end; absent
 * where it shows none. Rejects with the signal's reason.
 */
export async function awaitShown(
  engine: Pick<Engine, "app">,
  { app, hook }: Pick<PlayableLink, "app" | "hook">,
  [of, other]: readonly [string, string],
  status: PairingStatus["status"],
  signal: AbortSignal,
): Promise<PairingStatus["status"] | undefined> {
  let shown: PairingStatus["status"] | undefined;
  for (let waited = 0; waited <= SHOWN_MS; waited += 100) {
    const { pairings = [] } = (await engine.app(of)) ?? {};
    const rows = pairings.filter(({ hookId, runsOnAppId }) => hookId === hook.id && runsOnAppId === app.appId);
    shown = rows.find(({ target }) => target.appId === other)?.status;
    if (shown === status) break;
    await sleep(100, undefined, { signal });
  }
  return shown;
}
