/** An engine with something of everything a person may come to see: apps, links, widgets, questions, a task that failed, no way back. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { TaskView } from "../../../src/engine/api.ts";
import { startProvider } from "../support/provider.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";
import { asOthers, installApp, replaceApp } from "./others.ts";
import { writeCatalog, writeUpgrades } from "./scripts.ts";

/** A stored password, what a hook was given in confidence, the token, a password somebody else has set: never shown. */
export const SECRETS = {
  answer: "marker-4711-of-the-maps",
  input: "marker-4712-of-the-library",
  token: "marker-4713-of-the-house",
  theirs: "marker-4714-of-somebody-else",
} as const;

export interface House extends ServedPage {
  readonly token: string;
  /** Ids of tasks: one that failed and asks what to do, one that asks a question, one a sign-in, one whose sign-in failed. */
  readonly tasks: Readonly<Record<"failed" | "asks" | "signsIn" | "refused", string>>;
}

/** Opens it; nothing of it changes by itself. */
export async function openHouse(): Promise<House> {
  const catalog = mkdtempSync(join(tmpdir(), "slipway-house-"));
  const provider = await startProvider();
  writeCatalog(catalog, provider.url);
  const { token } = SECRETS;
  const served = await servePage({ catalog, production: false, server: { token } });
  const { engine } = served;
  const complete = async (starts: readonly Promise<TaskView>[]) => {
    const ends = await Promise.all(starts.map(async (start) => engine.settled((await start).id)));
    expect(ends.map(({ appId, state }) => [appId, state])).toEqual(ends.map(({ appId }) => [appId, "COMPLETED"]));
  };
  await complete([
    engine.install("media"),
    engine.install("photos", { answers: { owner: "ada", maps_key: SECRETS.answer } }),
    engine.install("cloud"),
    engine.install("locked"),
    engine.install("tiles"),
    engine.install("chess"),
  ]);
  await complete([
    engine.update("photos", { answers: { edge: 900 } }),
    engine.update("chess", { answers: { strength: 4 } }),
  ]);
  await complete([engine.runAction("photos", "albums")]);
  await served.control("release", "chess");
  await asOthers(served, async (host) => {
    await installApp(host, "minecraft", { world: "Theirs", console: SECRETS.theirs });
    await replaceApp(host, "chess", { strength: 4 });
  });
  const tasks = {
    failed: (await engine.install("shaky", { inputs: { shake: { key: SECRETS.input } } })).id,
    asks: (await engine.install("greeter")).id,
    signsIn: (await engine.runAction("cloud", "bring")).id,
    refused: (await engine.runAction("locked", "bring")).id,
  };
  for (const id of Object.values(tasks)) await engine.settled(id);
  writeUpgrades(catalog, ["cloud", "greeter"]);
  await engine.syncCatalog();
  // Far away: none begins on the way.
  await engine.setUpgradePolicies({ apps: { media: { mode: "automatic", cron: "30 4 29 2 *" } } });
  return {
    ...served,
    token,
    tasks,
    async close() {
      await served.close();
      await provider.close();
      rmSync(catalog, { recursive: true, force: true });
    },
  };
}
