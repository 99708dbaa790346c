/** Owned directories below locations of every kind an owner of a host makes, on every release. */
import { describe, expect, test } from "vitest";
import type { TaskView } from "../../src/engine/api.ts";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { LOCATION_KINDS, type LocationKind, openKind, readWithoutHooks } from "../support/host/location-kinds.ts";
import { realScripts } from "../support/scripts/real-catalog.ts";
import { rawScript } from "../support/scripts/scripts.ts";

const KINDS = Object.keys(LOCATION_KINDS) as readonly LocationKind[];
const BASE = "$LOCATION(ApplicationsPerformance)/jellyfin";
const SCRIPT = rawScript({
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [
    { path: `${BASE}/data`, owner: { user: "netdata", group: "docker" }, snapshot: { id: "data" } },
    { path: `${BASE}/files`, snapshot: { id: "files" } },
    { path: `${BASE}/config`, owner: { user: "apps" } },
  ],
});

/** Entries by tag and id. */
const entry = (tag: string, id: number, basic: string) =>
  expect.objectContaining({ tag, id, type: "ALLOW", perms: { BASIC: basic } });
const KEPT = [entry("GROUP", 545, "MODIFY"), entry("GROUP", 544, "FULL_CONTROL"), entry("USER", 568, "MODIFY")];

describe.each(GENERATIONS)("on %s", (release) => {
  test.each(KINDS)("owned directories are datasets of their own below a location of the kind: %s", async (kind) => {
    const { host, engine, locations } = await openKind(kind, release, { jellyfin: JSON.stringify(SCRIPT) });
    const top = `${locations["ApplicationsPerformance"]}/jellyfin`;
    const view = await settledTask(engine, (await engine.install("jellyfin")).id);
    expect(view).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(await host.acl(`${top}/data`)).toMatchObject({ uid: 999, gid: 998, acltype: "NFS4" });
    expect(await host.acl(`${top}/config`)).toMatchObject({ uid: 568, gid: 568, acltype: "NFS4" });
    for (const name of ["", "/data", "/files", "/config"]) {
      const acl = await host.acl(`${top}${name}`);
      expect(acl?.entries).toEqual(expect.arrayContaining(KEPT));
      expect(acl?.entries.filter(({ tag }) => tag === "everyone@")).toEqual([]);
      const dataset = `${top}${name}`.slice("/mnt/".length);
      expect(await host.dataset(dataset)).toMatchObject({ name: dataset, acltype: "NFSV4", aclmode: "PASSTHROUGH" });
    }
  });
});

test("below the preset for SMB datasets are as sensitive to case as those for apps", async () => {
  const { standin, engine } = await openKind("the preset for SMB", "25.10", { jellyfin: JSON.stringify(SCRIPT) });
  await settledTask(engine, (await engine.install("jellyfin")).id);
  const { datasets } = standin.control.state();
  expect(datasets["tank/of-a-kind/ApplicationsPerformance"]).toMatchObject({ casesensitivity: "INSENSITIVE" });
  expect(datasets["tank/of-a-kind/ApplicationsPerformance/jellyfin/data"]).toMatchObject({
    casesensitivity: "SENSITIVE",
    atime: "OFF",
  });
});

test.each(KINDS)("a plain directory keeps what it inherits and gives its owner rights below: %s", async (kind) => {
  const { host, engine, locations } = await openKind(kind, "25.10", { jellyfin: JSON.stringify(SCRIPT) });
  const top = `${locations["ApplicationsPerformance"]}/jellyfin`;
  await host.makeDirectory(top);
  const before = await host.acl(top);
  const view: TaskView = await settledTask(engine, (await engine.install("jellyfin")).id);
  expect(view.state).toBe("COMPLETED");
  const named = before?.entries.filter(({ tag }) => tag === "USER" || tag === "GROUP") ?? [];
  const acl = await host.acl(`${top}/data`);
  expect(acl).toMatchObject({ uid: 999, gid: 998, entries: expect.arrayContaining(named) });
  const isNfs4 = acl?.acltype === "NFS4";
  expect(view.marks).toEqual(isNfs4 ? [] : [`posixAcl: ${top}/data`, `posixAcl: ${top}/config`]);
  const others = acl?.entries.filter(({ tag }) => tag === "OTHER" || tag === "everyone@") ?? [];
  for (const { perms } of others) expect(Object.values(perms)).not.toContain("MODIFY");
});

/** Every known script that gives a directory an owner below one the engine makes. */
const OWNING = [
  "actual-budget",
  "affine",
  "home-assistant",
  "immich",
  "jellystat",
  "linkwarden",
  "mealie",
  "nextcloud",
  "paperless-ngx",
  "plex",
  "tautulli",
  "vaultwarden",
  "wiki-js",
];
const scripts = realScripts();

describe.skipIf(scripts === null)("the real scripts with owners", () => {
  test.each([
    ...KINDS.map((kind) => ["25.10", kind] as const),
    ...GENERATIONS.filter((release) => release !== "25.10").map((release) => [release, "the preset for apps"] as const),
  ])("install on %s below locations of the kind: %s", { timeout: 240_000 }, async (release, kind) => {
    const folder = scripts?.folder ?? "";
    const texts = Object.fromEntries(OWNING.map((appId) => [appId, readWithoutHooks(folder, appId)]));
    const { engine } = await openKind(kind, release, texts);
    const ends: Record<string, string> = {};
    for (const appId of OWNING) {
      const { steps } = await engine.form(appId);
      const open = steps.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions));
      const answers = Object.fromEntries(
        open.flatMap(({ key, required, default: offered, type, options }) =>
          required && (offered === undefined || offered === "")
            ? [[key, type === "select" ? (options?.[0]?.value ?? "") : type === "number" ? 7 : `answer-${key}`]]
            : [],
        ),
      );
      const view = await settledTask(engine, (await engine.install(appId, { answers })).id);
      ends[appId] = view.failure === undefined ? view.state : `${view.failure.code}: ${view.failure.message}`;
    }
    expect(ends).toEqual(Object.fromEntries(OWNING.map((appId) => [appId, "COMPLETED"])));
  });
});
