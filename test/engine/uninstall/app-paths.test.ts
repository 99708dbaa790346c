/** What the installed apps use, while they come and go. */
import { expect } from "vitest";
import { listAppPaths } from "../../../src/engine/effects/files/app-paths.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";

const REFUSED = { code: "HOST_NOT_FOUND", reason: "App does not exist", fields: [], retryable: false } as const;

async function openWithTwo() {
  const { engine, host } = await openWorld({ catalog: { demo: {}, other: {} } });
  for (const app of ["demo", "other"]) await settledTask(engine, (await engine.install(app)).id);
  return host;
}

it("leaves out an app that has gone since it was listed", async () => {
  const host = await openWithTwo();
  const listed = await host.apps();
  host.script.world.instances.delete("demo");
  const paths = await listAppPaths(host, listed);
  expect(paths.map(({ name }) => name)).toEqual(["other"]);
});

it("rejects where the host refuses the values of one that is there", async () => {
  const host = await openWithTwo();
  const appConfig = async () => {
    throw new HostError(REFUSED, "no");
  };
  await expect(listAppPaths({ app: (name) => host.app(name), appConfig }, await host.apps())).rejects.toThrow(
    "App does not exist",
  );
});
