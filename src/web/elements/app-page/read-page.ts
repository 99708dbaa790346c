/** What an app's page is read from. */
import { call, pathOf } from "../../api/client.ts";
import type { ActionEntry, Actions, AppDetail, Form } from "../../api/types.ts";

export interface AppPage {
  readonly app: AppDetail;
  readonly actions: readonly ActionEntry[];
  /** The dialog of the upgrade that is offered. */
  readonly upgrade?: Form;
}

/** Reads all of it: of an app without a usable script, or one the host never spoke of, there is no more than itself. Throws `ApiError`. */
export async function readPage(api: string, appId: string, signal: AbortSignal): Promise<AppPage> {
  const app = await call<AppDetail>(api, pathOf("apps", appId), { signal });
  if (!app.usable || app.installed === undefined) return { app, actions: [] };
  const [{ actions }, upgrade] = await Promise.all([
    call<Actions>(api, pathOf("apps", appId, "actions"), { signal }),
    app.installed?.upgradeAvailable ? readUpgrade(api, appId, signal) : undefined,
  ]);
  return { app, actions, ...(upgrade !== undefined && { upgrade }) };
}

function readUpgrade(api: string, appId: string, signal: AbortSignal): Promise<Form> {
  return call<Form>(api, pathOf("apps", appId, "form"), { query: { mode: "upgrade" }, signal });
}
