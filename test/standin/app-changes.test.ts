/** What changes an app that is installed: update, upgrade, start, stop, delete. */
import { describe, expect, test } from "vitest";
import {
  at,
  failed,
  install,
  JELLYFIN,
  openLoggedIn,
  startStandin,
  untilState,
} from "../support/engine/standin-client.ts";

describe("app.update", () => {
  test("replaces top-level sections whole, refills defaults, and ignores reserved keys", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, {
      ...JELLYFIN,
      values: { network: { web_port: { port_number: 30_444 }, own: 1 }, kept: true },
    });
    const values = { network: { other: 2 }, ix_context: { x: 1 } };
    expect(await client.job("app.update", "jellyfin", { values })).toMatchObject({ state: "SUCCESS" });
    const config = await client.call("app.config", "jellyfin");
    expect(config).toMatchObject({ kept: true, network: { other: 2, web_port: { port_number: 30_013 } } });
    expect(at(config, "network", "own")).toBeUndefined();
    expect(at(config, "ix_context", "x")).toBeUndefined();
  });

  test("saves a stopped app's config without starting it", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, JELLYFIN);
    await client.job("app.stop", "jellyfin");
    await client.job("app.update", "jellyfin", { values: { kept: 1 } });
    expect(await client.call("app.get_instance", "jellyfin")).toMatchObject({ state: "STOPPED" });
    expect(await client.call("app.config", "jellyfin")).toMatchObject({ kept: 1 });
  });
});

describe("app.upgrade", () => {
  const OLD = { ...JELLYFIN, version: "1.3.11" };

  test("stops, upgrades and redeploys, taking a snapshot of the old version", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await install(client, OLD);
    expect(await client.call("app.upgrade_summary", "jellyfin")).toMatchObject({
      latest_version: "1.3.12",
      upgrade_version: "1.3.12",
      available_versions_for_upgrade: [{ version: "1.3.12", human_version: "10.11.11_1.3.12" }],
    });
    expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject({
      state: "SUCCESS",
      result: { version: "1.3.12" },
    });
    await untilState(client, "jellyfin", "RUNNING");
    expect(host.control.state().snapshots).toMatchObject([
      { dataset: "tank/ix-apps/app_mounts/jellyfin", name: "1.3.11" },
    ]);
    expect(await client.call("app.rollback_versions", "jellyfin")).toEqual(["1.3.11"]);
    expect(await client.job("app.rollback", "jellyfin", { app_version: "1.3.11" })).toMatchObject({
      state: "SUCCESS",
      result: { version: "1.3.11" },
    });
  });

  test.each([
    ["a stopped app", true, OLD, "[EFAULT] In order to upgrade an app, it must not be in stopped state"],
    ["nothing newer", false, JELLYFIN, "[EFAULT] No upgrade available for 'jellyfin'"],
  ])("%s fails in the host's words", async (_title, stopped, args, error) => {
    const client = await openLoggedIn(await startStandin());
    await install(client, args);
    if (stopped) await client.job("app.stop", "jellyfin");
    expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject(failed(14, error));
  });

  test("a version that is not newer is a validation error, and a summary without upgrade throws", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, OLD);
    expect(await client.job("app.upgrade", "jellyfin", { app_version: "1.0.0" })).toMatchObject({
      exc_info: { type: "VALIDATION", extra: [["options.app_version", expect.any(String), 22]] },
    });
    await client.job("app.upgrade", "jellyfin", {});
    expect(at(await client.failure("app.upgrade_summary", "jellyfin"), "data", "errname")).toBe("EFAULT");
  });

  test("a released version makes an upgrade available", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await install(client, JELLYFIN);
    expect(host.control.release("jellyfin")).toBe("1.3.13");
    expect(await client.call("app.get_instance", "jellyfin")).toMatchObject({
      upgrade_available: true,
      latest_version: "1.3.13",
    });
    expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject({ result: { version: "1.3.13" } });
  });
});

test("two verbs that start one app at a time leave it with one set of listeners", async () => {
  const host = await startStandin();
  const client = await openLoggedIn(host);
  await install(client, JELLYFIN);
  await Promise.all([client.job("app.start", "jellyfin"), client.job("app.redeploy", "jellyfin")]);
  await untilState(client, "jellyfin", "RUNNING");
  expect((await fetch(`http://${host.lanIp}:30013`)).status).toBe(200);
  await client.job("app.stop", "jellyfin");
  await expect(fetch(`http://${host.lanIp}:30013`)).rejects.toThrow();
});

test("app.delete removes the instance, and an unknown one is a validation error", async () => {
  const client = await openLoggedIn(await startStandin());
  await install(client, JELLYFIN);
  expect(await client.job("app.delete", "jellyfin", {})).toMatchObject({ state: "SUCCESS", result: true });
  expect(await client.job("app.delete", "jellyfin", {})).toMatchObject({ exc_info: { type: "VALIDATION" } });
});

test("a name every object has is a name like any other", async () => {
  const client = await openLoggedIn(await startStandin());
  expect(await client.failure("app.get_instance", "constructor")).toMatchObject({ code: -32602 });
  expect(await install(client, { ...JELLYFIN, app_name: "constructor" })).toMatchObject({ id: "constructor" });
});
