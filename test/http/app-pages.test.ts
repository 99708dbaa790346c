/** `GET apps` in pages and by what is searched for, of a catalog too large to be shown whole. */
import { describe, expect } from "vitest";
import { createHttpApp } from "../../src/http/app.ts";
import { Apps } from "../../src/http/schemas/apps.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";

const metadata = (name: string, description = "An app", version = "1.0.0") => ({
  metadata: { name, icon: "icon.svg", description, version },
});

async function openServed(catalog: Readonly<Record<string, unknown>>) {
  const world = await openWorld({ catalog });
  const app = createHttpApp(world.engine);
  const list = async (query: string) => {
    const { apps, next } = Apps.parse(await (await app.request(`/api/apps?${query}`)).json());
    return { ids: apps.map(({ appId }) => appId), next };
  };
  const install = async (appId: string) => settledTask(world.engine, (await world.engine.install(appId)).id);
  return { ...world, list, install };
}

describe("GET apps", () => {
  it("comes in pages by id, each app once, and goes on after an app that is gone", async () => {
    const { list } = await openServed({ e: {}, b: {}, d: {}, a: {}, c: {} });
    const seen: (readonly string[])[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(after === "" ? "limit=2" : `limit=2&after=${after}`);
      seen.push(page.ids);
      after = page.next;
    }
    expect(seen).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(await list("")).toEqual({ ids: ["a", "b", "c", "d", "e"], next: undefined });
    expect(await list("after=bb&limit=1")).toEqual({ ids: ["c"], next: "c" });
    expect(await list("limit=5")).toEqual({ ids: ["a", "b", "c", "d", "e"], next: undefined });
  });

  it("finds words in id, name and description, in any order and case", async () => {
    const { list } = await openServed({
      jellyfin: metadata("Jellyfin", "Streams films and music"),
      navidrome: metadata("Navidrome", "Streams MUSIC"),
      uber: metadata("Über", "Fahrten"),
      photos: metadata("Photos"),
    });
    expect((await list("search=music%20STREAMS")).ids).toEqual(["jellyfin", "navidrome"]);
    expect((await list("search=films%20jelly")).ids).toEqual(["jellyfin"]);
    expect((await list(`search=${encodeURIComponent("üBER")}`)).ids).toEqual(["uber"]);
    expect((await list("search=music%20photos")).ids).toEqual([]);
    expect((await list(`search=${encodeURIComponent(".*")}`)).ids).toEqual([]);
    expect(await list("search=streams&limit=1")).toEqual({ ids: ["jellyfin"], next: "jellyfin" });
  });

  it("tells installed apps from others, and those an upgrade is offered for", async () => {
    const own = (version: string, script: string) => ({
      custom: true,
      ...metadata("B", "Own", version),
      script: { version: script },
    });
    const { list, install, write, engine } = await openServed({ a: {}, b: own("1.5.0", "1.0.0"), c: {} });
    await install("a");
    await install("b");
    await expect.poll(async () => (await list("installed=true")).ids).toEqual(["a", "b"]);
    expect((await list("installed=false")).ids).toEqual(["c"]);
    expect((await list("upgradable=true")).ids).toEqual([]);
    write({ b: own("2.0.0", "1.1.0") });
    await engine.syncCatalog();
    expect((await list("upgradable=true")).ids).toEqual(["b"]);
  });

  it("refuses what is not a filter", async () => {
    const { engine } = await openServed({ a: {} });
    const app = createHttpApp(engine);
    for (const query of ["limit=0", "installed=perhaps", "upgradable=false", "name=a", `search=${"x".repeat(201)}`]) {
      expect([query, (await app.request(`/api/apps?${query}`)).status]).toEqual([query, 400]);
    }
    await expect(engine.apps({ limit: 0 })).rejects.toMatchObject({ code: "TASK_REQUEST_INVALID" });
  });

  it("of a large catalog lists at most a thousand where a page is asked for, and finds any", async () => {
    const ids = Array.from({ length: 1_005 }, (_, at) => `app-${String(at).padStart(4, "0")}`);
    const { list } = await openServed(Object.fromEntries(ids.map((id, at) => [id, metadata(`Number ${at}`)])));
    expect(await list("limit=1000")).toEqual({ ids: ids.slice(0, 1_000), next: "app-0999" });
    expect(await list("limit=1000&after=app-0999")).toEqual({ ids: ids.slice(1_000), next: undefined });
    expect(await list("search=number%201004")).toEqual({ ids: ["app-1004"], next: undefined });
  });
});
