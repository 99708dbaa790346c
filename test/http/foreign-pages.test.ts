/** A page of another origin changes nothing behind an embedder's own authentication, whose cookie browsers send along. */
import { Hono } from "hono";
import { describe, expect } from "vitest";
import { createHttpApp, type HttpAppOptions } from "../../src/http/app.ts";
import { ProblemDetailsShape } from "../../src/http/schemas/problem-details.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";

async function mount(options?: HttpAppOptions) {
  const { engine } = await openWorld({ catalog: { a: {} } });
  const app = new Hono();
  app.route("/slipway", createHttpApp(engine, options));
  /** Asks as the page of a browser does, or as a program, and says how it went. */
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await app.request(`http://nas:8080/slipway/api${path}`, { method, headers });
    return response.ok ? response.status : ProblemDetailsShape.parse(await response.json()).code;
  };
  return { engine, app, ask };
}

/** What browsers say of a page that is not of `http://nas:8080`. */
const FOREIGN: readonly Record<string, string>[] = [
  { origin: "http://nas:9000" },
  { origin: "http://evil.example" },
  { origin: "null" },
  { origin: "ftp://nas:8080" },
  { origin: "" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "cross-site" },
  { origin: "http://nas:8080", "sec-fetch-site": "same-site" },
];

describe("createHttpApp", () => {
  it("has no page of another origin change anything", async () => {
    const { engine, ask } = await mount();
    for (const headers of FOREIGN) {
      const asked = [
        await ask("POST", "/apps/a/install", headers),
        await ask("PUT", "/dashboard", headers),
        await ask("DELETE", "/apps/a", headers),
        await ask("POST", "/nowhere", headers),
      ];
      expect([headers, asked]).toEqual([headers, asked.map(() => "HTTP_ORIGIN_REFUSED")]);
    }
    expect(engine.tasks()).toEqual([]);
  });

  it("has its own pages and programs change things, and leaves reads to the authentication before it", async () => {
    const { ask } = await mount();
    const own = [{}, { "sec-fetch-site": "none" }, { origin: "http://nas:8080", "sec-fetch-site": "same-origin" }];
    for (const headers of own) expect(await ask("POST", "/notifications/read", headers)).toBe(200);
    for (const headers of FOREIGN) expect(await ask("GET", "/tasks", headers)).toBe(200);
  });

  it("takes the Host header for its name, and beside it the origins it is told", async () => {
    const { ask } = await mount({ allowedOrigins: ["https://nas.example", "https://other.example:8443/"] });
    const named = { host: "nas.example", origin: "http://nas.example" };
    expect(await ask("POST", "/notifications/read", named)).toBe(200);
    for (const origin of ["https://nas.example", "https://other.example:8443"])
      expect([origin, await ask("POST", "/notifications/read", { origin })]).toEqual([origin, 200]);
    expect(await ask("POST", "/notifications/read", { origin: "http://other.example" })).toBe("HTTP_ORIGIN_REFUSED");
    await expect(mount({ allowedOrigins: ["nas.example"] })).rejects.toThrow('"nas.example" is no origin');
    await expect(mount({ allowedOrigins: ["null"] })).rejects.toThrow("is no origin");
  });
});
