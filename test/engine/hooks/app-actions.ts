/** Actions of an installed app that a test answers for. */
import { type AppServer, type Routes, startApp } from "../../sandbox/app-server.ts";
import { closeAfterTest, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, type EngineWorldOptions, settledTask } from "../../support/engine/engine-world.ts";

/** An action whose script has this body. */
export const action = (id: string, body: string, rerun = "refuse") => ({
  id,
  title: id,
  rerun,
  entrypoint: "run",
  scriptContent: `export async function run(ctx) {\n${body}\n}`,
});

/** An installed app that answers at `routes`, with these actions. */
export async function openApp(routes: Routes, hooks: readonly unknown[], engine: EngineWorldOptions["engine"] = {}) {
  const app = await startApp(routes);
  closeAfterTest({ close: async () => app[Symbol.asyncDispose]() });
  const locations = { ApplicationsPerformance: "/mnt/tank/apps", Media: "/mnt/tank/media" };
  const world = await openWorld({
    catalog: { demo: { hooks } },
    host: { facts: { lanIp: "127.0.0.1", locations } },
    engine,
  });
  await settledTask(world.engine, (await world.engine.install("demo")).id);
  world.host.script.setApp("demo", { port: app.port, publishedPorts: [app.port] });
  return { app, world };
}

/** What a hook has logged, with the engine's own lines. */
export function linesOf({ engine }: EngineWorld, id: string): readonly string[] {
  return engine.log(id).map(({ line }) => line);
}

/** How many requests for a path an app got. */
export const received = (app: AppServer, path: string) =>
  app.received.filter((request) => request.path === path).length;

/** Resolves when the app got the next request for the path. */
export function arrival() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, arrive: () => resolve() };
}
