import { describe, expect, test } from "vitest";
import { install, JELLYFIN, openLoggedIn, type RawClient, startStandin } from "../support/engine/standin-client.ts";

describe("an installed app over HTTP", () => {
  const until = async (client: RawClient, url: string, status: number): Promise<Response> => {
    for (;;) {
      const response = await fetch(url).catch(() => undefined);
      if (response?.status === status) return response;
      await client.call("core.ping");
    }
  };

  test("connections are cut while the app is starting", async () => {
    const host = await startStandin({ faults: ["app-never-healthy"] });
    const client = await openLoggedIn(host);
    await client.job("app.create", JELLYFIN);
    await expect(fetch(`http://${host.lanIp}:30013`)).rejects.toThrow();
  });

  test("a running app answers any GET, and nothing else without a table", async () => {
    const host = await startStandin();
    await install(await openLoggedIn(host), JELLYFIN);
    const base = `http://${host.lanIp}:30013`;
    expect((await fetch(base)).headers.get("content-type")).toContain("text/html");
    expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ app: "jellyfin", path: "/health" });
    expect((await fetch(`${base}/x`, { method: "POST", body: "{}" })).status).toBe(404);
  });

  test("refuses requests while it warms up", async () => {
    const host = await startStandin({ answers: { jellyfin: { warmMs: 86_400_000, answers: [] } } });
    await install(await openLoggedIn(host), JELLYFIN);
    expect((await fetch(`http://${host.lanIp}:30013`)).status).toBe(503);
  });

  test("answers from its table, row by row, and keeps what it was asked", async () => {
    const host = await startStandin({
      answers: {
        jellyfin: {
          warmMs: 5000,
          answers: [
            { path: "/api/login", method: "POST", status: 503, times: 1 },
            { path: "/api/login", method: "POST", headers: { "set-cookie": "sid=1" }, body: { token: "t" } },
            { path: "/files/*", status: 206, body: "text", delayMs: 5 },
          ],
        },
      },
    });
    const client = await openLoggedIn(host);
    await install(client, JELLYFIN);
    const base = `http://${host.lanIp}:30013`;
    await until(client, `${base}/files/a`, 206);
    const login = () => fetch(`${base}/api/login?x=1`, { method: "POST", body: "user=a" });
    expect((await login()).status).toBe(503);
    const second = await login();
    expect([second.status, second.headers.get("set-cookie"), await second.json()]).toEqual([
      200,
      "sid=1",
      { token: "t" },
    ]);
    expect(host.control.requests("jellyfin").at(-1)).toMatchObject({
      method: "POST",
      url: "/api/login?x=1",
      body: "user=a",
      status: 200,
    });
  });

  test("stand-ins of different directories publish the same port side by side", async () => {
    const hosts = await Promise.all([startStandin(), startStandin()]);
    for (const host of hosts) await install(await openLoggedIn(host), JELLYFIN);
    expect(new Set(hosts.map(({ lanIp }) => lanIp)).size).toBe(2);
    for (const { lanIp } of hosts) expect((await fetch(`http://${lanIp}:30013`)).status).toBe(200);
  });
});
