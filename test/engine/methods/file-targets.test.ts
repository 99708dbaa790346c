import { describe, expect } from "vitest";
import { createHttpApp } from "../../../src/http/app.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addFile, addLink } from "../../support/engine/scripted-world.ts";

const scan = (more: Record<string, unknown> = {}) => ({
  id: "scan",
  title: "Scan",
  rerun: "refuse",
  entrypoint: "run",
  scriptContent: "export async function run(ctx) { ctx.log(JSON.stringify(ctx.target.files.map((f) => f.path))); }",
  target: { type: "files", accepts: [".mkv"] },
  ...more,
});

const FILM = "/mnt/tank/media/a.mkv";

async function open(hooks = [scan()]) {
  const media = { type: "host_path", mount_path: "/media", host_path_config: { path: "/mnt/tank/media" } };
  const world = await openWorld({
    catalog: { demo: { hooks, app_values: { storage: { media } } } },
    host: { datasets: ["tank", "tank/apps", "tank/media", "tank/private"] },
  });
  const { engine, host } = world;
  for (const file of [FILM, "/mnt/tank/media/b.mkv", "/mnt/tank/private/c.mkv"]) addFile(host.script.world, file);
  await settledTask(engine, (await engine.install("demo")).id);
  return world;
}

const REFUSED: readonly (readonly [what: string, file: string, reason: string])[] = [
  ["a path with ..", "/mnt/tank/media/../private/c.mkv", 'holds ".."'],
  ["a path whose .. leads back", "/mnt/tank/media/x/../a.mkv", 'holds ".."'],
  ["a file that does not exist", "/mnt/tank/media/none.mkv", "does not exist"],
  ["a folder", "/mnt/tank/media/folder.mkv", "is not a file"],
  ["a file outside every mount", "/mnt/tank/private/c.mkv", "lies outside every mount"],
  ["a link that leads out of every mount", "/mnt/tank/media/out.mkv", "lies outside every mount"],
];

describe("File targets are refused before anything runs", () => {
  it("in the library, with the place of each", async () => {
    const { engine } = await withTraps();
    for (const [what, file, reason] of REFUSED) {
      const pressed = engine.runAction("demo", "scan", { files: [FILM, file] });
      await expect(pressed, what).rejects.toMatchObject({
        code: "ACTION_FILE_REFUSED",
        message: expect.stringContaining(reason),
        details: { problems: [{ path: ["files", 1] }] },
      });
    }
    expect(engine.tasks().filter(({ kind }) => kind === "hook")).toEqual([]);
  });

  it("over HTTP, as 422 with the place", async () => {
    const app = createHttpApp((await withTraps()).engine);
    for (const [what, file, reason] of REFUSED) {
      const response = await app.request("/api/apps/demo/actions/scan", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ files: [file] }),
      });
      expect(response.status, what).toBe(422);
      expect(await response.json(), what).toMatchObject({
        code: "ACTION_FILE_REFUSED",
        detail: expect.stringContaining(reason),
        problems: [{ path: ["files", 0] }],
      });
    }
  });

  it("in what the surfaces offer, disabled with the reason", async () => {
    const { engine } = await withTraps();
    for (const [what, file, reason] of REFUSED) {
      const offered = await engine.actions("demo", "fileBrowser", [FILM, file]);
      expect(offered, what).toMatchObject([
        { hookId: "scan", state: "disabled", reason: expect.stringContaining(reason) },
      ]);
    }
  });

  it("where the hook delivers its files itself, they may lie in a location and nowhere else", async () => {
    const target = { type: "files", accepts: [".mkv"], requiresTargetMount: false };
    const { engine, host } = await open([scan({ target })]);
    addFile(host.script.world, "/mnt/tank/apps/d.mkv");
    const inLocation = await engine.runAction("demo", "scan", { files: ["/mnt/tank/apps/d.mkv"] });
    expect(await settledTask(engine, inLocation.id)).toMatchObject({ state: "COMPLETED" });
    const outside = engine.runAction("demo", "scan", { files: ["/mnt/tank/private/c.mkv"] });
    await expect(outside).rejects.toMatchObject({ code: "ACTION_FILE_REFUSED" });
  });

  it("the same file written in several ways counts once, and refuse compares normalised paths", async () => {
    const { engine, store } = await open();
    const ways = [FILM, "/mnt/tank//media/a.mkv", "/mnt/./tank/media/a.mkv"];
    const { id } = await engine.runAction("demo", "scan", { files: [...ways, FILM] });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(store.hookLog(id, 1)[0]?.line).toBe(JSON.stringify([FILM]));
    for (const way of ways) {
      await expect(engine.runAction("demo", "scan", { files: [way] })).rejects.toMatchObject({
        code: "ACTION_UNAVAILABLE",
        message: expect.stringContaining("must not run twice"),
      });
      expect(await engine.actions("demo", "fileBrowser", [way])).toMatchObject([{ state: "disabled" }]);
    }
    expect(await engine.actions("demo", "fileBrowser", ["/mnt/tank/media/b.mkv"])).toMatchObject([
      { state: "enabled" },
    ]);
  });
});

async function withTraps(): Promise<EngineWorld> {
  const opened = await open();
  const host = opened.host.script.world;
  host.paths.set("/mnt/tank/media/folder.mkv", { type: "DIRECTORY", uid: 0, gid: 0 });
  addLink(host, "/mnt/tank/media/out.mkv", "/mnt/tank/private/c.mkv");
  return opened;
}
