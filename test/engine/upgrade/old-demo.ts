import { openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorldOptions, settledTask } from "../../support/engine/engine-world.ts";

/** What the host offers of "demo", from old to new. */
export const VERSIONS = ["1.0.0", "2.0.0"];

/** An app installed at the first of these versions although the others are there. */
export async function installOldDemo(
  script: Record<string, unknown> = {},
  versions: readonly string[] = VERSIONS,
  engineSettings: NonNullable<EngineWorldOptions["engine"]> = {},
) {
  const offered = { train: "stable", title: "Demo", icon: "", versions: [...versions] };
  const world = await openWorld({
    catalog: { demo: script },
    host: { datasets: ["tank", "tank/apps"], catalog: { demo: { ...offered, versions: versions.slice(0, 1) } } },
    engine: engineSettings,
  });
  const { engine, host } = world;
  const { id } = await engine.install("demo");
  await settledTask(engine, id);
  host.script.world.catalog.set("demo", offered);
  return { world, engine, host };
}

/** Directories of an app with an owner and snapshots, on one location. */
export const OWNED = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [
    {
      path: "$LOCATION(ApplicationsPerformance)/demo",
      owner: { user: "apps" },
      snapshot: { id: "data" },
    },
    { path: "$LOCATION(ApplicationsPerformance)/demo/sub", snapshot: { id: "data" } },
  ],
};

/** A script whose answers reach the app's values, with what is generated among them. */
export const ASKING = {
  ...OWNED,
  installation_questions: [
    { question: "Port?", type: "number", key: "port", default: 8080 },
    { question: "Token?", type: "password", key: "token", default: "$RANDOM_STRING(20)", installonly: true },
  ],
  app_values: {
    network: { web_port: "$QUESTION(port)" },
    demo: { token: "$QUESTION(token)", secret: "$RANDOM_STRING(16)", list: ["a"] },
  },
};
