/** Folders of the host's locations, and what the installed apps can do with files in them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { createLocalFolders } from "../../src/adapters/local-folders.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { FileActions, Folder } from "../../src/http/schemas/files.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { addFile } from "../support/engine/scripted-world.ts";
import { rawHook } from "../support/scripts/scripts.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-files-")));
  mkdirSync(join(folder, "mnt/tank/media/Films"), { recursive: true });
  for (const name of ["b.mkv", "a.mkv", "c.txt"]) writeFileSync(join(folder, "mnt/tank/media", name), name);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FILE = "/mnt/tank/media/a.mkv";
const media = { type: "host_path", mount_path: "/media", host_path_config: { path: "/mnt/tank/media" } };
const takes = (id: string, accepts: readonly string[], more: Record<string, unknown> = {}) =>
  rawHook({ id, title: `Do ${id}`, kind: "maintain", target: { type: "files", accepts, ...more } });

/** "player" has the media mounted, "blind" has not, "absent" is not installed. */
async function openFiles() {
  const world = await openWorld({
    catalog: {
      player: {
        hooks: [takes("scan", [".mkv"], { maxFiles: 2 }), takes("read", [".txt"]), rawHook({ id: "card" })],
        app_values: { storage: { media } },
      },
      blind: { hooks: [takes("watch", [".mkv"], { requiresTargetMount: false }), takes("see", [".mkv"])] },
      absent: { hooks: [takes("scan", [".mkv"])] },
      secret: { internal: true, hooks: [takes("scan", [".mkv"], { requiresTargetMount: false })] },
    },
    host: {
      localRoot: folder,
      datasets: ["tank", "tank/media"],
      facts: { locations: { Media: "/mnt/tank/media", Backups: "/mnt/tank/backups" } },
    },
    engine: { folders: createLocalFolders() },
  });
  for (const name of ["a", "b", "d"]) addFile(world.host.script.world, `/mnt/tank/media/${name}.mkv`);
  addFile(world.host.script.world, "/mnt/tank/media/c.txt");
  for (const app of ["player", "blind"]) await settledTask(world.engine, (await world.engine.install(app)).id);
  const app = createHttpApp(world.engine);
  return { ...world, get: (path: string) => app.request(`/api/${path}`) };
}

describe("GET files", () => {
  it("the file browser without a path lists the locations", async () => {
    const { get } = await openFiles();
    expect(Folder.parse(await (await get("files")).json())).toEqual({
      entries: [
        { name: "Backups", label: "Backups", path: "/mnt/tank/backups", kind: "folder", isLink: false },
        { name: "Media", label: "Media", path: "/mnt/tank/media", kind: "folder", isLink: false },
      ],
      whole: true,
    });
  });

  it("lists a folder in pages: names, kinds, sizes and times, folders first", async () => {
    const { get } = await openFiles();
    const first = Folder.parse(await (await get("files?path=/mnt/tank/media//.&limit=2")).json());
    expect(first).toMatchObject({
      path: "/mnt/tank/media",
      entries: [
        { name: "Films", path: "/mnt/tank/media/Films", kind: "folder" },
        { name: "a.mkv", path: FILE, kind: "file", size: 5, modified: expect.stringMatching(/^\d{4}-.*Z$/) },
      ],
      next: "1/a.mkv",
    });
    const rest = await (await get(`files?path=/mnt/tank/media&after=${encodeURIComponent(first.next ?? "")}`)).json();
    expect(Folder.parse(rest).entries.map(({ name }) => name)).toEqual(["b.mkv", "c.txt"]);
    expect(rest).not.toHaveProperty("next");
  });

  it("refuses with a code what is no folder of a location, and what is no question", async () => {
    const { get } = await openFiles();
    const refusals: readonly [query: string, status: number, code: string][] = [
      ["path=/mnt/tank/media/../..", 422, "FILE_OUTSIDE"],
      ["path=/etc", 422, "FILE_OUTSIDE"],
      ["path=/mnt/tank/media/none", 404, "FILE_UNKNOWN"],
      ["path=/mnt/tank/media/a.mkv", 422, "FILE_NOT_FOLDER"],
      [`path=/mnt/tank/media/${"x".repeat(300)}`, 403, "FILE_UNREADABLE"],
      [`path=/${"x".repeat(5000)}`, 400, "HTTP_BAD_REQUEST"],
      ["limit=0", 400, "HTTP_BAD_REQUEST"],
      ["folder=/mnt", 400, "HTTP_BAD_REQUEST"],
    ];
    for (const [query, status, code] of refusals) {
      const response = await get(`files?${query}`);
      expect([query, response.status, await response.json()]).toMatchObject([query, status, { code }]);
    }
  });
});

describe("GET files/actions", () => {
  const read = async (response: Response) =>
    FileActions.parse(await response.json()).actions.map(
      ({ app, hookId, state, reason = "" }) => `${app.appId}/${hookId} ${state} ${reason}`,
    );

  it("the file browser lists what the installed apps can do with all of a selection", async () => {
    const { get } = await openFiles();
    expect(await read(await get(`files/actions?file=${FILE}`))).toEqual([
      "blind/watch enabled ",
      'blind/see disabled the app can\'t reach "a.mkv"',
      "player/scan enabled ",
    ]);
    expect(await read(await get(`files/actions?file=/mnt/tank/media/c.txt`))).toEqual(["player/read enabled "]);
    expect(await read(await get(`files/actions?file=/mnt/tank/media/c.txt&file=${FILE}`))).toEqual([]);
    const three = ["a", "b", "d"].map((name) => `file=/mnt/tank/media/${name}.mkv`).join("&");
    expect(await read(await get(`files/actions?${three}`))).toEqual([
      "blind/watch enabled ",
      'blind/see disabled the app can\'t reach "a.mkv"',
      "player/scan disabled takes at most 2 files at once",
    ]);
  });

  it("says the same as each app's own list, and what it offers runs", async () => {
    const { engine } = await openFiles();
    const found = await engine.fileActions([FILE]);
    for (const { app, ...action } of found) {
      expect(await engine.actions(app.appId, "fileBrowser", [FILE])).toContainEqual(action);
    }
    expect(found.at(-1)?.app).toEqual({ appId: "player", name: "PLAYER", icon: "" });
    const task = await engine.runAction("player", "scan", { surface: "fileBrowser", files: [FILE] });
    expect((await settledTask(engine, task.id)).state).toBe("COMPLETED");
  });

  it("offers nothing for a file no hook may have, and says why", async () => {
    const { get } = await openFiles();
    const refused = ["/mnt/tank/media/../private/x.mkv", "/mnt/tank/private/x.mkv", "/mnt/tank/media/none.mkv"];
    for (const file of refused) {
      const rows = await read(await get(`files/actions?file=${file}`));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row).toMatch(/ disabled .*(holds ".."|does not exist|lies outside)/);
    }
  });

  it("takes more files in a body than an address has room for", async () => {
    const { engine } = await openFiles();
    const app = createHttpApp(engine);
    const ask = (files: readonly string[]) =>
      app.request("/api/files/actions", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ files }),
      });
    expect(await read(await ask([FILE]))).toEqual([
      "blind/watch enabled ",
      'blind/see disabled the app can\'t reach "a.mkv"',
      "player/scan enabled ",
    ]);
    const many = Array.from({ length: 1000 }, (_, at) => `/mnt/tank/media/${"long".repeat(20)}-${at}.mkv`);
    expect(await read(await ask(many))).toContainEqual(expect.stringContaining("player/scan disabled"));
    const refused = await ask([...many, FILE]);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "TASK_REQUEST_INVALID" }]);
  });

  it("refuses what is no selection", async () => {
    const { get, engine } = await openFiles();
    for (const query of ["", "file=relative.mkv", "file=", `file=/${"x".repeat(5000)}`, `file=${FILE}&app=player`]) {
      expect([query, (await get(`files/actions?${query}`)).status]).toEqual([query, 400]);
    }
    await expect(engine.fileActions([])).rejects.toMatchObject({ code: "TASK_REQUEST_INVALID" });
  });
});
