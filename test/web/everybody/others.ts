/** What others do on the host of the house, past the engine. */
import { expect } from "vitest";
import { isJsonObject, type JsonObject } from "../../../src/core/json/json.ts";
import type { ServedEngine } from "../../support/engine/served-engine.ts";
import { connectRaw, login, type RawClient } from "../../support/engine/standin-client.ts";

/** Has somebody else logged in on the host while it lasts. */
export async function asOthers(
  { standin }: Pick<ServedEngine, "standin">,
  change: (host: RawClient) => Promise<void>,
): Promise<void> {
  const host = await connectRaw(standin.url);
  try {
    await host.call("auth.login_ex", login(standin));
    await change(host);
  } finally {
    host.socket.terminate();
  }
}

/** Installs an app of the host's own catalog under its own name. */
export async function installApp(host: RawClient, app: string, values: JsonObject): Promise<void> {
  const wanted = { app_name: app, catalog_app: app, train: "community", values: { [app]: values } };
  expect(await host.job("app.create", wanted)).toMatchObject({ state: "SUCCESS" });
}

/** Puts the app's newest version in its place, of which the host knows no older one, and lets go of its snapshots. */
export async function replaceApp(host: RawClient, app: string, values: JsonObject): Promise<void> {
  expect(await host.job("app.delete", app)).toMatchObject({ state: "SUCCESS" });
  await installApp(host, app, values);
  const snapshots = await host.rows("pool.snapshot.query", [["dataset", "=", `tank/ApplicationsPerformance/${app}`]]);
  expect(snapshots).not.toEqual([]);
  for (const { id = null } of snapshots) await host.call("pool.snapshot.delete", id);
}

/** Changes some of an app's options, as its own page on the host does. */
export async function changeOptions(host: RawClient, app: string, changes: JsonObject): Promise<void> {
  const config = await host.call("app.config", app);
  const options = isJsonObject(config) ? config[app] : undefined;
  if (!isJsonObject(options)) throw new Error(`"${app}" has no options`);
  const values = { [app]: { ...options, ...changes } };
  expect(await host.job("app.update", app, { values })).toMatchObject({ state: "SUCCESS" });
}
