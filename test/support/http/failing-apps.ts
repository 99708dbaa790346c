/** A served engine whose apps do what the demo's never do: hooks and a link that fail, and an upgrade the host offers. */
import type { LinkRequest } from "../../../src/engine/api.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../../src/http/server.ts";
import { closeAfterTest, openWorld } from "../engine/engine-test.ts";
import type { EngineWorld, EngineWorldOptions } from "../engine/engine-world.ts";

export interface FailingApps extends Pick<EngineWorld, "engine"> {
  /** Of the server. */
  readonly url: string;
  /** The host offers the app in a newer version from now on. */
  release(appId: string): void;
}

/** What an install of "hub" asks for to have its link to "other" fail. */
export const FAILING_LINK: LinkRequest = { hookId: "connect", runsOnAppId: "hub", targets: ["other"] };

const failingHook = (changes: Record<string, unknown>) => ({
  title: "Fails",
  optional: false,
  entrypoint: "run",
  scriptContent: 'export async function run(ctx) { ctx.fail("no", { context: [{ label: "why", value: "so" }] }); }',
  ...changes,
});

const SETUP = failingHook({ id: "setup", events: ["onAfterInstall"] });
const CONNECT = failingHook({
  id: "connect",
  rerun: "converge",
  conditions: [{ role: "visibility", type: "appInstalled", app: "other" }],
});

/** "stuck" and "given-up" fail after their install, "hub" at its link to "other"; closed when the test has ended. */
export async function serveFailingApps(
  more: Partial<Pick<EngineWorldOptions, "catalog" | "host">> = {},
): Promise<FailingApps> {
  const catalog = {
    stuck: { hooks: [SETUP] },
    "given-up": { hooks: [SETUP] },
    hub: { hooks: [CONNECT] },
    other: {},
    ...more.catalog,
  };
  const { engine, host } = await openWorld({
    catalog,
    host: {
      ...more.host,
      catalog: Object.fromEntries(Object.keys(catalog).map((appId) => [appId, offered(appId, "1.0.0")])),
    },
  });
  const server = await startHttpServer(engine, { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER });
  closeAfterTest(server);
  return {
    engine,
    url: server.url,
    release: (appId) => void host.script.world.catalog.set(appId, offered(appId, "1.0.0", "2.0.0")),
  };
}

const offered = (title: string, ...versions: readonly string[]) => ({ train: "stable", title, icon: "", versions });
