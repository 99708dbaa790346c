/** Pictures of apps: from files and addresses, told by content, kept, and asked for once. */
import { describe, expect, onTestFinished } from "vitest";
import { EngineError } from "../../src/core/codes/problems.ts";
import type { Icons } from "../../src/engine/ports/icons.ts";
import { AppIcons } from "../../src/engine/surfaces/icons/app-icons.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { startLoopbackServer } from "../support/host/loopback-server.ts";
import { PICTURES } from "../support/pictures.ts";
import { createTestClock } from "../support/test-clock.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg"/>`;
const PNG = PICTURES.png;
const shown = (icon: string) => ({ metadata: { name: "Shown", description: "d", icon, version: "1.0.0" } });

async function open(catalog: Readonly<Record<string, unknown>>, host: object = {}) {
  const world = await openWorld({ catalog, host });
  const app = createHttpApp(world.engine);
  const icon = (appId: string, headers: Record<string, string> = {}) => {
    const [id, query = ""] = appId.split("?");
    return app.request(`/api/apps/${id}/icon?${query}`, { headers });
  };
  return { ...world, icon };
}

describe("GET apps/{appId}/icon", () => {
  it("answers with a file of the catalog, as a picture and nothing else, and 304 where it is known", async () => {
    const { icon } = await open({ demo: shown("images/demo.svg"), "images/demo.svg": SVG });
    const response = await icon("demo");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(SVG);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=300",
    });
    const etag = response.headers.get("etag") ?? "";
    const again = await icon("demo", { "if-none-match": etag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect(again.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("asks an address once for all who look, and tells what comes by its content", async () => {
    const server = await startLoopbackServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(PNG);
    });
    onTestFinished(() => server.close());
    const { icon } = await open({ demo: shown(`${server.url}/a.svg`) });
    const all = await Promise.all([icon("demo"), icon("demo"), icon("demo")]);
    expect(all.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual(
      all.map(() => [200, "image/png"]),
    );
    expect(server.requests).toEqual(["GET /a.svg"]);
  });

  it("is 204 where it is optional and can't be had, of an app nobody knows any more too", async () => {
    const { icon } = await open({ demo: {}, shown: shown("images/demo.svg"), "images/demo.svg": SVG });
    const answers = await Promise.all(
      ["demo?optional=true", "shown?optional=true", "nobody?optional=true"].map((id) => icon(id)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 204]);
  });

  it("is 404 for an app nobody knows, one that names no picture, and one whose picture can't be had", async () => {
    const { icon } = await open({
      demo: {},
      gone: shown("gone.svg"),
      odd: shown("odd.svg"),
      "odd.svg": "<html></html>",
    });
    const answers = await Promise.all(
      ["nobody", "demo", "gone", "odd"].map(async (appId) => (await icon(appId)).json()),
    );
    expect(answers).toMatchObject([
      { status: 404, code: "TASK_APP_UNKNOWN" },
      { status: 404, code: "ICON_UNREADABLE" },
      { status: 404, code: "ICON_UNREADABLE", detail: expect.stringContaining("ENOENT") },
      { status: 404, code: "ICON_UNREADABLE", detail: expect.stringContaining("not an SVG") },
    ]);
  });

  it("is 404 for an internal app in production", async () => {
    const { icon } = await open({ demo: { ...shown("demo.svg"), internal: true }, "demo.svg": SVG });
    expect(await (await icon("demo")).json()).toMatchObject({ code: "TASK_APP_UNKNOWN" });
  });
});

/** Reads that are answered, or refused, when the test says so. */
function createReads() {
  const asked: { place: string; answer(bytes: Uint8Array): void; refuse(): void }[] = [];
  const icons: Icons = {
    read: (place) => {
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      asked.push({
        place: place.kind === "file" ? place.path : place.address,
        answer: resolve,
        refuse: () => reject(new EngineError("ICON_UNREADABLE", "no")),
      });
      return promise;
    },
  };
  return { icons, asked };
}

const at = (address: string) => ({ kind: "address", address }) as const;
const bytesOf = (size: number) => Buffer.concat([PNG, Buffer.alloc(size)]);

describe("pictures that are kept", () => {
  function open() {
    const clock = createTestClock();
    const { icons, asked } = createReads();
    const kept = new AppIcons({ icons, clock, hostAddresses: async () => [] });
    const turns = async () => new Promise((resolve) => setImmediate(resolve));
    return { clock, asked, kept, turns };
  }

  it("count for an hour, and past it while their address does not answer", async () => {
    const { clock, asked, kept, turns } = open();
    const first = kept.read(at("a"));
    await turns();
    asked[0]?.answer(PNG);
    const icon = await first;
    clock.advance(3_599_000);
    expect(await kept.read(at("a"))).toBe(icon);
    expect(asked.length).toBe(1);
    clock.advance(2_000);
    const later = kept.read(at("a"));
    await turns();
    asked[1]?.refuse();
    expect(await later).toBe(icon);
    expect(await kept.read(at("a"))).toBe(icon);
    expect(asked.length).toBe(2);
  });

  it("a failure is remembered for five minutes", async () => {
    const { clock, asked, kept, turns } = open();
    const refused = kept.read(at("a")).catch(({ code }) => code);
    await turns();
    asked[0]?.refuse();
    expect(await refused).toBe("ICON_UNREADABLE");
    clock.advance(299_000);
    await expect(kept.read(at("a"))).rejects.toMatchObject({ code: "ICON_UNREADABLE" });
    expect(asked.length).toBe(1);
    clock.advance(2_000);
    const again = kept.read(at("a"));
    await turns();
    asked[1]?.answer(PNG);
    expect((await again).type).toBe("image/png");
  });

  it("four addresses are asked at once, 64 wait, and more are refused without being remembered", async () => {
    const { asked, kept, turns } = open();
    const reads = Array.from({ length: 69 }, (_, index) => kept.read(at(`a${index}`)).catch(({ message }) => message));
    await turns();
    expect(asked.map(({ place }) => place)).toEqual(["a0", "a1", "a2", "a3"]);
    expect(await reads[68]).toContain("too many pictures");
    for (let index = 0; index < 68; index += 1) {
      asked[index]?.answer(PNG);
      await reads[index];
    }
    const again = kept.read(at("a68"));
    await turns();
    asked[68]?.answer(PNG);
    expect((await again).type).toBe("image/png");
  });

  it("are bounded in bytes: the least recently looked at are dropped", async () => {
    const { asked, kept, turns } = open();
    const read = async (place: string, size: number) => {
      const before = asked.length;
      const reading = kept.read(at(place));
      await turns();
      if (asked.length > before) asked[before]?.answer(bytesOf(size));
      await reading;
      return asked.length > before ? "asked" : "kept";
    };
    const size = 256 * 1024 - PNG.length;
    for (let index = 0; index < 64; index += 1) await read(`a${index}`, size);
    expect(await read("a0", size)).toBe("kept");
    expect(await read("a64", size)).toBe("asked");
    expect([await read("a0", size), await read("a1", size)]).toEqual(["kept", "asked"]);
  });
});
