/**
 * Databases as releases wrote them, kept for every later build to open and go on with.
 *
 * A release's folder holds the catalog, the database with its witness, what the host had (`host.json`) and `SHA256SUMS`. Its
 * apps: `settled` is installed, `asks` waits for an answer, `stopped` for Retry or Skip, `waits` in
 * the middle of its script; `upgraded` is being upgraded and `returned` taken back by the host as the engine is closed.
 */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Sandbox } from "../../../sandbox/contract.ts";
import type { HostApp } from "../../../src/engine/ports/host-records.ts";
import {
  createEngineWorld,
  type EngineWorld,
  type EngineWorldOptions,
  settledTask,
  until,
} from "../../support/engine/engine-world.ts";
import { sumFiles } from "../../support/sum-files.ts";

/** One folder a release. */
export const DATABASES = fileURLToPath(new URL("../../fixtures/databases/", import.meta.url));

/** What the host had, by the name of an app. */
const instances = z.array(
  z.tuple([
    z.string(),
    z.object({
      app: z.custom<HostApp>((value) => typeof value === "object" && value !== null),
      values: z.record(z.string(), z.json()),
      deployingFor: z.number(),
      former: z.array(z.object({ version: z.string(), values: z.record(z.string(), z.json()) })).exactOptional(),
    }),
  ]),
);

/** The parsed scripts of a release's catalog, by app id. */
export function readKeptCatalog(folder: string): Readonly<Record<string, unknown>> {
  const files = readdirSync(join(folder, "catalog"));
  return Object.fromEntries(
    files.map((file) => [
      file.slice(0, -".json".length),
      JSON.parse(readFileSync(join(folder, "catalog", file), "utf8")),
    ]),
  );
}

/** Has this build write what a release is kept by. */
export async function recordDatabase(folder: string, sandbox: Sandbox): Promise<void> {
  const world = await createEngineWorld({ catalog: readKeptCatalog(folder), engine: { sandbox } });
  const { engine, host, file } = world;
  const install = async (appId: string, request = {}) => settledTask(engine, (await engine.install(appId, request)).id);
  await install("settled", { answers: { team: "red" } });
  for (const appId of ["asks", "stopped"]) await install(appId);
  await upgradeUnderWay(world);
  const { id } = await engine.install("waits");
  await until(engine, () => JSON.stringify(engine.task(id)).includes('"waitingFor":{"kind":"person"'));
  writeFileSync(join(folder, "host.json"), `${JSON.stringify([...host.script.world.instances], null, 2)}\n`);
  await engine.close();
  for (const end of ["", ".witness"]) copyFileSync(`${file}${end}`, join(folder, `slipway.db${end}`));
  await world.close();
  writeFileSync(join(folder, "SHA256SUMS"), sumFiles(folder));
}

/** Has the host at work on the upgrade of one app and on the rollback of another; it comes to the end of neither. */
async function upgradeUnderWay({ engine, host }: EngineWorld): Promise<void> {
  const { script } = host;
  const { catalog } = script.world;
  const offered = new Map(catalog);
  for (const appId of ["upgraded", "returned"]) {
    catalog.set(appId, { train: "stable", title: appId.toUpperCase(), icon: "", versions: ["1.0.0"] });
    await settledTask(engine, (await engine.install(appId, appId === "returned" ? FORMER : {})).id);
    catalog.set(appId, offered.get(appId) ?? { train: "stable", title: "", icon: "", versions: [] });
    script.setApp(appId, { upgradeAvailable: true });
  }
  await settledTask(engine, (await engine.upgrade("returned")).id);
  for (const method of ["app.upgrade", "app.rollback"] as const) script.hold(method);
  const began = [await engine.upgrade("upgraded"), await engine.rollback("returned")];
  await until(engine, () => ["app.upgrade", "app.rollback"].every((method) => isCalled(host, method)));
  if (began.some(({ id }) => engine.task(id)?.state !== "RUNNING")) throw new Error("the host has ended it");
}

/** Of the app that is taken back. */
const FORMER = { answers: { team: "green" } };

function isCalled({ script }: EngineWorld["host"], method: string): boolean {
  return script.calls.some((call) => call.method === method);
}

/** A world on a copy of what a release wrote. */
export function keptWorld(folder: string): EngineWorldOptions {
  const kept = instances.parse(JSON.parse(readFileSync(join(folder, "host.json"), "utf8")));
  return { catalog: readKeptCatalog(folder), database: join(folder, "slipway.db"), host: { instances: kept } };
}
