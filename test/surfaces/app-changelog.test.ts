/** What an app's detail says of its requirements, and of the versions it can move to. */
import { describe, expect } from "vitest";
import { renderUpgrade, renderVersions } from "../../src/cli/ui/firing-text.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { AppDetail } from "../../src/http/schemas/apps.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { rawScript } from "../support/scripts/scripts.ts";

const script = (version: string, changeLog?: string, more: object = {}) =>
  rawScript({ script: { version, ...(changeLog !== undefined && { changeLog }) }, ...more });
const custom = (version: string, scriptVersion: string, changeLog?: string, internal = false) => ({
  ...script(scriptVersion, changeLog),
  custom: true,
  internal,
  metadata: { name: "Own", description: "d", icon: "own.svg", version },
});

async function open(catalog: Readonly<Record<string, unknown>>) {
  const world = await openWorld({
    catalog,
    host: {
      catalog: { demo: offer(["1.0.0"]), "ix-app": offer(["1.0.0"]) },
      datasets: ["tank", "tank/apps"],
      facts: { locations: { Media: "/mnt/tank/media" }, cores: 2 },
    },
  });
  const app = createHttpApp(world.engine);
  const detail = async (appId: string) => AppDetail.parse(await (await app.request(`/api/apps/${appId}`)).json());
  const install = async (appId: string) => settledTask(world.engine, (await world.engine.install(appId)).id);
  const publish = async (files: Readonly<Record<string, unknown>>) => {
    world.write(files);
    await world.engine.syncCatalog();
  };
  return { ...world, detail, install, publish };
}

const offer = (versions: readonly string[], changelog?: string) => ({
  train: "stable",
  title: "Demo",
  icon: "",
  versions,
  ...(changelog !== undefined && { changelog }),
});

describe("an app's detail", () => {
  it("says which requirements of its script are met, whether it is installed or not", async () => {
    const requirements = {
      locations: ["Media", "Photos"],
      specifications: ["4CORE"],
      permissions: [],
      ports: [30_100],
    };
    const { detail } = await open({ demo: { requirements } });
    expect((await detail("demo")).requirements).toMatchObject({
      locations: { met: ["Media"], unmet: ["Photos"] },
      advisory: [
        { kind: "specification", required: "4CORE", met: false, found: "2 cores" },
        { kind: "port", required: 30_100, met: true },
      ],
    });
    expect((await detail("demo")).changelog).toEqual([]);
  });

  it("lists the versions of the host's package with what its catalog writes about the newest", async () => {
    const { detail, install, host } = await open({ demo: {} });
    await install("demo");
    await expect.poll(async () => (await detail("demo")).installed?.version).toBe("1.0.0");
    expect((await detail("demo")).changelog).toEqual([]);
    host.script.world.catalog.set("demo", offer(["0.9.0", "1.0.0", "1.2.0", "1.10.0"], "Fixes <b>all</b>\nof it"));
    const instance = host.script.world.instances.get("demo");
    if (instance) instance.app = { ...instance.app, upgradeAvailable: true };
    await expect
      .poll(async () => (await detail("demo")).changelog)
      .toEqual([{ version: "1.10.0", notes: "Fixes <b>all</b>\nof it" }, { version: "1.2.0" }]);
  });

  it("lists the versions of the script up to the newest, not the installed one, older ones or faulty ones", async () => {
    const { detail, install, publish } = await open({ demo: { script: { version: "1.1.0", changeLog: "First" } } });
    await install("demo");
    await publish({
      "demo@0.9.json": JSON.stringify(script("0.9.0", "Older")),
      "demo@1.2.json": JSON.stringify(script("1.2.0")),
      "demo@1.3.json": JSON.stringify({ ...script("1.3.0", "Faulty"), app_values: 7 }),
      "demo@1.4.json": JSON.stringify(script("1.4.0", `${"x".repeat(11_000)}`)),
    });
    await expect.poll(async () => (await detail("demo")).changelog.length).toBe(2);
    expect((await detail("demo")).changelog).toEqual([
      { scriptVersion: "1.4.0", notes: `${"x".repeat(10_000)}...` },
      { scriptVersion: "1.2.0" },
    ]);
  });

  it("names nothing new where the newest script does not admit the installed one", async () => {
    const { detail, install, publish } = await open({ demo: { script: { version: "1.1.0" } } });
    await install("demo");
    await publish({ demo: { script: { version: "2.0.0", changeLog: "Another major version" } } });
    await expect.poll(async () => (await detail("demo")).scriptVersion).toBe("2.0.0");
    expect((await detail("demo")).changelog).toEqual([]);
  });

  it("of a custom app names the versions of its metadata an upgrade passes, internal scripts left out", async () => {
    const { detail, install, publish, engine } = await open({ own: custom("1.0.0", "1.0.0") });
    await install("own");
    await publish({
      "own@1.1.json": JSON.stringify(custom("1.5.0", "1.1.0", "Half way", true)),
      "own@1.2.json": JSON.stringify(custom("1.6.0", "1.2.0", "Nearly there")),
      "own@1.3.json": JSON.stringify(custom("2.0.0", "1.3.0", "There")),
    });
    await expect
      .poll(async () => (await detail("own")).changelog)
      .toEqual([
        { version: "2.0.0", scriptVersion: "1.3.0", notes: "There" },
        { version: "1.6.0", scriptVersion: "1.2.0", notes: "Nearly there" },
      ]);
    expect(renderUpgrade(await engine.previewUpgrade("own"))).toEqual([
      "From 1.0.0 to 2.0.0",
      "  2.0.0: There",
      "  1.6.0: Nearly there",
    ]);
    expect(renderVersions(await engine.previewUpgrade("own"))).toEqual([
      "Installed is 1.0.0, there are 2.0.0, 1.6.0",
      "  2.0.0: There",
      "  1.6.0: Nearly there",
    ]);
  });

  it("is served without the host's words where the host does not answer about an upgrade", async () => {
    const { detail, install, host } = await open({ demo: {} });
    await install("demo");
    host.upgradeTarget = () => Promise.reject(new Error("no answer"));
    const instance = host.script.world.instances.get("demo");
    if (instance) instance.app = { ...instance.app, upgradeAvailable: true };
    await expect.poll(async () => (await detail("demo")).installed?.upgradeAvailable).toBe(true);
    expect((await detail("demo")).changelog).toEqual([]);
  });
});
