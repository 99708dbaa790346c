/** An app replaces its own directory by a link to somebody else's: nothing of theirs is given away, snapshotted, shared. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import type { Engine, TaskView } from "../../../src/engine/api.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { STANDIN_LOCATIONS } from "../../../src/standin/locations.ts";
import { createStandinHost, type StandinHost } from "../../../src/standin/standin.ts";
import { createEngineWorld, type EngineWorld, QUICK, settledTask } from "../../support/engine/engine-world.ts";
import { addDataset, addDirectory, addLink } from "../../support/engine/scripted-world.ts";
import { openClient } from "../../support/host/host-client.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

const LOCATION = "/mnt/tank/ApplicationsPerformance";
const OWN = `${LOCATION}/jellyfin/data`;
const VICTIM = "/mnt/tank/Documents/private";

/** A script with one directory that is owned, snapshotted and shared, on top of what a test changes. */
const script = (location: string, directory: Record<string, unknown>) =>
  rawScript({
    requirements: { locations: [location], specifications: [], permissions: [], ports: [] },
    ensure_directories_exists: [directory],
  });

describe("on the stand-in, whose calls follow links as the host's do", () => {
  let dir: string;
  let standin: StandinHost;
  let host: Host;
  let engine: Engine;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "slipway-ownership-"));
    standin = await createStandinHost({ dir: join(dir, "host"), speed: 50, limits: { ratePerWindow: 10_000 } });
    const { username, apiKey } = standin;
    host = openClient(standin.url, {
      username,
      apiKey,
      locations: STANDIN_LOCATIONS,
      localRoot: join(dir, "host"),
      clock: createSystemClock(),
    });
    // somebody else's files, as their owner made them; the app's directory is a plain one
    mkdirSync(standin.localPath(VICTIM));
    mkdirSync(standin.localPath(OWN), { recursive: true });
    mkdirSync(join(dir, "catalog"));
  });

  afterEach(async () => {
    await engine.close();
    await standin.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const install = async (directory: Record<string, unknown>): Promise<TaskView> => {
    const path = "$LOCATION(ApplicationsPerformance)/jellyfin/data";
    const text = JSON.stringify(script("ApplicationsPerformance", { path, ...directory }));
    writeFileSync(join(dir, "catalog/jellyfin.json"), text);
    engine = createEngine({
      host,
      store: openStore({ file: join(dir, "slipway.db") }),
      catalog: await openCatalogDirectory(join(dir, "catalog")),
      timing: QUICK,
    });
    await engine.recover();
    return settledTask(engine, (await engine.install("jellyfin")).id);
  };

  /** What the app's container does. */
  const replace = (path = OWN, target = "../../Documents/private"): void => {
    renameSync(standin.localPath(path), standin.localPath(`${path}-away`));
    symlinkSync(target, standin.localPath(path));
  };

  const refused = {
    state: "FAILED",
    failure: {
      code: "HOST_PATH_LINKED",
      message: expect.stringContaining(`"${OWN}" is, or lies behind, a symbolic link`),
    },
  };

  test("an update gives another user's directory to nobody, and says which path is a link", async () => {
    expect(await install({ owner: { user: "apps" } })).toMatchObject({ state: "COMPLETED" });
    expect(await host.stat(OWN)).toMatchObject({ uid: 568 });
    replace();
    expect(await settledTask(engine, (await engine.update("jellyfin")).id)).toMatchObject(refused);
    expect(await host.stat(VICTIM)).toMatchObject({ uid: 0 });
  });

  test.each([
    ["out of the host's pools", "../../../../etc"],
    ["to a file", "../file"],
    ["to itself", "data"],
  ])("a link %s is a link, also in the middle of a declared path", async (_, target) => {
    mkdirSync(standin.localPath("/etc"), { recursive: true });
    writeFileSync(standin.localPath(`${LOCATION}/file`), "");
    const below = { path: "$LOCATION(ApplicationsPerformance)/jellyfin/data/sub", snapshot: { id: "sub" } };
    expect(await install(below)).toMatchObject({ state: "COMPLETED" });
    replace(OWN, target);
    expect((await engine.lookForDrift()).findings).toMatchObject([{ code: "DRIFT_DIRECTORY_REPLACED" }]);
    const shown = await engine.previewUninstall("jellyfin", { keepData: false });
    expect(shown.directories.map(({ path }) => path)).toContain(`${OWN}/sub`);
    const update = await settledTask(engine, (await engine.update("jellyfin")).id);
    expect(update).toMatchObject({ state: "FAILED", failure: { code: "HOST_PATH_LINKED" } });
    const end = await settledTask(engine, (await engine.uninstall("jellyfin", { keepData: false })).id);
    expect(end).toMatchObject({ state: "FAILED", failure: { code: "HOST_PATH_LINKED" } });
  });

  test("an update takes no snapshot of another user's dataset", async () => {
    expect(await install({ snapshot: { id: "data" } })).toMatchObject({ state: "COMPLETED" });
    replace();
    expect(await settledTask(engine, (await engine.update("jellyfin")).id)).toMatchObject(refused);
    expect(await host.snapshotNames("tank/Documents")).toEqual([]);
  });

  test("an install into a directory that is a link is refused before anything is changed", async () => {
    replace();
    await expect(install({ owner: { user: "apps" }, network_share: true })).rejects.toMatchObject({
      code: "HOST_PATH_LINKED",
    });
    expect(await host.stat(VICTIM)).toMatchObject({ uid: 0 });
    expect(await host.shares()).toEqual([]);
  });

  test("a link in the middle of a path is seen, which the host does not resolve", async () => {
    mkdirSync(standin.localPath(`${VICTIM}/data`));
    expect(await install({ owner: { user: "apps" }, snapshot: { id: "data" } })).toMatchObject({ state: "COMPLETED" });
    replace(`${LOCATION}/jellyfin`, "../Documents/private");
    expect(await settledTask(engine, (await engine.update("jellyfin")).id)).toMatchObject(refused);
    expect(await host.stat(`${VICTIM}/data`)).toMatchObject({ uid: 0 });
    expect(await host.snapshotNames("tank/Documents")).toEqual([]);
  });

  test("nothing is made or shared behind a link in the middle of a path", async () => {
    replace(`${LOCATION}/jellyfin`, "../Documents/private");
    await expect(install({ owner: { user: "apps" }, network_share: true })).rejects.toMatchObject({
      code: "HOST_PATH_LINKED",
    });
    expect(readdirSync(standin.localPath(VICTIM))).toEqual([]);
    expect(await host.shares()).toEqual([]);
  });

  test("a link to another directory of the same location is refused too", async () => {
    expect(await install({ owner: { user: "apps" } })).toMatchObject({ state: "COMPLETED" });
    mkdirSync(standin.localPath(`${LOCATION}/other`));
    renameSync(standin.localPath(OWN), standin.localPath(`${OWN}-away`));
    symlinkSync("../other", standin.localPath(OWN));
    expect(await settledTask(engine, (await engine.update("jellyfin")).id)).toMatchObject(refused);
    expect(await host.stat(`${LOCATION}/other`)).toMatchObject({ uid: 0 });
  });
});

describe("whichever question or change of the engine comes first after the app has put its link", () => {
  const own = "/mnt/tank/apps/demo/data";
  const PLACES = [
    { where: "at its end", link: own, target: "/mnt/tank/apps/private", victim: "/mnt/tank/apps/private" },
    {
      where: "in the middle",
      link: "/mnt/tank/apps/demo",
      target: "/mnt/tank/apps/private",
      victim: "/mnt/tank/apps/private/data",
    },
  ];
  const path = "$LOCATION(ApplicationsPerformance)/demo/data";
  const directory = { path, owner: { user: "apps" }, snapshot: { id: "data" }, network_share: true };

  /** An installed app whose directory's owner has strayed, or one that is about to be installed. */
  async function open(isInstalled: boolean): Promise<EngineWorld> {
    const world = await createEngineWorld({ catalog: { demo: script("ApplicationsPerformance", directory) } });
    const state = world.host.script.world;
    // ACLs of the same type as the app's: another would be refused.
    addDataset(state, "tank/apps/private", "POSIX");
    addDirectory(state, "/mnt/tank/apps/private/data");
    for (const each of ["/mnt/tank/apps/demo", own]) addDirectory(state, each);
    if (isInstalled) await settledTask(world.engine, (await world.engine.install("demo")).id);
    addDirectory(state, own);
    state.catalog.set("demo", { train: "stable", title: "Demo", icon: "", versions: ["1.0.0", "2.0.0", "3.0.0"] });
    if (isInstalled) world.host.script.setApp("demo", { upgradeAvailable: true });
    return world;
  }

  /** Puts the link before the call of this number; returns the names of the calls made. */
  function linkBefore({ host }: EngineWorld, number: number, place: (typeof PLACES)[number]): string[] {
    const calls: string[] = [];
    const counted = Object.entries(host).flatMap(([name, call]) =>
      typeof call !== "function" || name === "localPath" || name === "close"
        ? []
        : [
            [
              name,
              (...asked: readonly unknown[]) => {
                const [job] = asked;
                const method =
                  name === "startJob" && typeof job === "object" && job !== null && "method" in job ? job.method : name;
                if (calls.length === number) addLink(host.script.world, place.link, place.target);
                calls.push(String(method));
                return Reflect.apply(call, host, asked);
              },
            ],
          ],
    );
    Object.assign(host, Object.fromEntries(counted));
    return calls;
  }

  /** How many calls a run makes that meets no link. */
  async function countCalls(verb: "install" | "update" | "upgrade", place: (typeof PLACES)[number]): Promise<number> {
    const world = await open(verb !== "install");
    try {
      const calls = linkBefore(world, Number.POSITIVE_INFINITY, place);
      expect(await settledTask(world.engine, (await world.engine[verb]("demo")).id)).toMatchObject({
        state: "COMPLETED",
      });
      return calls.length;
    } finally {
      await world.close();
    }
  }

  test.each(PLACES.flatMap((place) => (["install", "update", "upgrade"] as const).map((verb) => ({ verb, ...place }))))(
    "$where, $verb changes nothing of what it leads to, but in the host's own turn, and then it says so",
    { timeout: 120_000 },
    async ({ verb, ...place }) => {
      let [stops, gifts] = [0, 0];
      // With the link no run comes further than the call after it.
      const last = await countCalls(verb, place);
      for (let number = 0; number < last; number++) {
        const world = await open(verb !== "install");
        try {
          const calls = linkBefore(world, number, place);
          const told = await world.engine[verb]("demo").then(
            async ({ id }) => settledTask(world.engine, id),
            (error: unknown) => ({ failure: error }),
          );
          const { paths, snapshots, shares } = world.host.script.world;
          expect(snapshots.filter(({ dataset }) => dataset === "tank/apps/private")).toEqual([]);
          if (Object(told.failure).code === "HOST_PATH_LINKED") stops++;
          if (paths.get(place.victim)?.uid !== 0) {
            gifts++;
            // The host has the job, and follows the link in its own time.
            expect(calls.slice(Math.max(0, number - 1), number + 2)).toContain("setOwner");
            expect(told).toMatchObject({ failure: { code: "HOST_PATH_LINKED" } });
          }
          if (shares.length > 0 && calls.indexOf("createShare") >= number) {
            // In the middle of a path the link may come after the last look at its place.
            expect(calls.slice(number, number + 2)).toContain("createShare");
            expect(told).toMatchObject({ failure: { code: "HOST_PATH_LINKED" } });
          }
        } finally {
          await world.close();
        }
      }
      expect(stops).toBeGreaterThan(5);
      expect(gifts).toBeGreaterThan(0);
    },
  );
});
