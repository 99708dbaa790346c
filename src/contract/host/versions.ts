/** The parts about versions of apps: upgrades, and the way back. */
import type { TestHooks } from "../test-hooks.ts";
import { declarePart, type HostUnderTest, type HostWith } from "./under-test.ts";

/** `older`: a version of the app the catalog offers besides the newest. */
type WithOlder = { readonly older: string };

/** Declares the tests of a host whose catalog offers more than one version of an app. */
export function describeHostUpgrades(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostUnderTest & WithOlder>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `upgrades: ${name}`, open, ({ it, create, end, awaitEnd, awaitRunning }) => {
    test("an upgrade goes to the target the host names, and then there is none", async () => {
      const { host, app, older } = it();
      await end(create({ version: older }));
      await awaitRunning();
      expect(await host.app(app.id)).toMatchObject({ version: older, upgradeAvailable: true });
      const target = await host.upgradeTarget(app.id);
      expect(target?.version).toBe(app.newest);
      expect(target?.available).toContain(app.newest);
      expect(await awaitEnd({ method: "upgradeApp", name: app.id })).toMatchObject({ state: "SUCCESS" });
      await awaitRunning();
      expect(await host.app(app.id)).toMatchObject({ version: app.newest, upgradeAvailable: false });
      expect(await host.upgradeTarget(app.id)).toBeNull();
      expect(await awaitEnd({ method: "upgradeApp", name: app.id })).toMatchObject({
        state: "FAILED",
        error: { code: "HOST_UPGRADE_NONE" },
      });
    });
  });
}

/** Declares the tests of a host with the group `versions`. */
export function describeHostVersions(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostWith<"versions"> & WithOlder>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `versions: ${name}`, open, ({ it, create, values, end, awaitEnd, awaitRunning }) => {
    test("rollBackApp brings an older version back with the values it had, and then there is none older", async () => {
      const { host, app, older } = it();
      await end(create({ version: older }));
      await awaitRunning();
      expect(await host.rollbackVersions(app.id)).toEqual([]);
      await end({ method: "upgradeApp", name: app.id });
      await end({ method: "updateApp", name: app.id, values: app.values(app.ports[1], null) });
      expect(await host.rollbackVersions(app.id)).toEqual([older]);
      const rollBack = { method: "rollBackApp", name: app.id, version: older } as const;
      await end({ method: "stopApp", name: app.id });
      expect(await awaitEnd(rollBack)).toMatchObject({ state: "FAILED", error: { code: "HOST_APP_STOPPED" } });
      await end({ method: "startApp", name: app.id });
      expect(await awaitEnd(rollBack)).toMatchObject({ state: "SUCCESS" });
      await awaitRunning();
      expect(await host.app(app.id)).toMatchObject({ version: older, upgradeAvailable: true });
      expect(await host.appConfig(app.id)).toMatchObject(values());
      expect(await host.rollbackVersions(app.id)).toEqual([]);
      expect(await awaitEnd({ ...rollBack, version: app.newest })).toMatchObject({ state: "FAILED" });
    });
  });
}
