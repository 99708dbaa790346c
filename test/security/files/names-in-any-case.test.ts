/** Datasets that ignore case: one directory has many names, and what lies in it belongs to whoever uses any of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/json.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { type LocationKind, openKind } from "../../support/host/location-kinds.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

const MEDIA = "$LOCATION(Media)";
const locations = { locations: ["Media"], specifications: [], permissions: [], ports: [] };
const writeScript = (paths: readonly string[], values: JsonObject = {}) =>
  JSON.stringify(
    rawScript({
      requirements: locations,
      ensure_directories_exists: paths.map((path) => ({ path: `${MEDIA}/${path}` })),
      app_values: values,
    }),
  );

const MOUNT = { storage: { films: { type: "host_path", host_path_config: { path: `$HOST_PATH(${MEDIA}/movies)` } } } };

/** What else uses what jellyfin has made as "Movies", under another spelling. */
const NEIGHBOURS = {
  "in its script": writeScript(["movies"]),
  "below it, in its script": writeScript(["MOVIES/old"]),
  "as a mount": writeScript([], MOUNT),
  "in a text of its values": writeScript([], { extra: [`$HOST_PATH(${MEDIA}/movies):/films:ro`] }),
};

/** jellyfin has made "Movies"; plex is installed beside it, its file lies there. */
async function openBeside(kind: LocationKind, neighbour: string) {
  const world = await openKind(kind, "25.10", { jellyfin: writeScript(["Movies", "own"]), plex: neighbour });
  const { engine, standin } = world;
  const top = `${world.locations["Media"]}/Movies`;
  expect(await settledTask(engine, (await engine.install("jellyfin")).id)).toMatchObject({ state: "COMPLETED" });
  writeFileSync(standin.localPath(`${top}/letter.txt`), "dear");
  return { ...world, top, letter: standin.localPath(`${top}/letter.txt`) };
}

type World = Awaited<ReturnType<typeof openBeside>>;

const uninstallAll = async ({ engine }: World) =>
  settledTask(engine, (await engine.uninstall("jellyfin", { keepData: false })).id);

describe("a dataset that ignores case", () => {
  test.each(Object.entries(NEIGHBOURS))(
    "an uninstall takes paths for one by what stands there, whatever their spelling: %s",
    async (_, neighbour) => {
      const world = await openBeside("the preset for SMB", neighbour);
      const { engine, top, letter } = world;
      expect(await settledTask(engine, (await engine.install("plex")).id)).toMatchObject({ state: "COMPLETED" });
      const { directories } = await engine.previewUninstall("jellyfin", { keepData: false });
      const reason = expect.stringMatching(/^"Plex" (?:uses it|names it in its script)$/);
      expect(directories).toContainEqual({ path: top, fate: "kept", reason });
      expect((await uninstallAll(world)).result).toMatchObject({ removed: [`${world.locations["Media"]}/own`] });
      expect(readFileSync(letter, "utf8")).toBe("dear");
    },
  );

  test("keeps what an app that is not installed any more has in it", async () => {
    const world = await openBeside("the preset for SMB", writeScript(["movies/theirs"]));
    const { engine, letter } = world;
    await settledTask(engine, (await engine.install("plex")).id);
    await settledTask(engine, (await engine.uninstall("plex")).id);
    expect((await uninstallAll(world)).result).toMatchObject({ removed: [`${world.locations["Media"]}/own`] });
    expect(existsSync(letter)).toBe(true);
  });

  test("an uninstall keeps all as long as the host does not tell what stands at a path of another app", async () => {
    const world = await openBeside("the preset for SMB", writeScript(["theirs"]));
    const { engine, host, letter, locations } = world;
    await settledTask(engine, (await engine.install("plex")).id);
    const { stat } = host;
    const theirs = `${locations["Media"]}/theirs`;
    host.stat = async (path) => {
      if (path !== theirs) return stat.call(host, path);
      const reason = "the file system hangs";
      throw new HostError({ code: "HOST_TIMEOUT", reason, fields: [], retryable: true }, "unknown");
    };
    const { directories } = await engine.previewUninstall("jellyfin", { keepData: false });
    const reason = `"Plex" may use it: the host does not tell what stands at "${theirs}"`;
    expect(directories.map((one) => one.reason)).toEqual([reason, reason]);
    expect((await uninstallAll(world)).result).toMatchObject({ removed: [] });
    expect(existsSync(letter)).toBe(true);
  });

  test("removes what no other app names", async () => {
    const world = await openBeside("the preset for SMB", writeScript(["Movies-of-plex"]));
    await settledTask(world.engine, (await world.engine.install("plex")).id);
    expect((await uninstallAll(world)).result).toMatchObject({ left: [], emptied: [] });
    expect(existsSync(world.letter)).toBe(false);
  });
});

test("a dataset that minds case has two directories of two names", async () => {
  const world = await openBeside("the preset for apps", writeScript(["movies"]));
  const { engine, standin, locations } = world;
  const other = standin.localPath(`${locations["Media"]}/movies`);
  mkdirSync(other, { recursive: true });
  writeFileSync(`${other}/theirs.txt`, "theirs");
  await settledTask(engine, (await engine.install("plex")).id);
  expect((await uninstallAll(world)).result).toMatchObject({ left: [] });
  expect(existsSync(world.letter)).toBe(false);
  expect(readFileSync(`${other}/theirs.txt`, "utf8")).toBe("theirs");
});
