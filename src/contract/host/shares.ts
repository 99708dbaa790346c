/** The part about folders on the network. */
import type { TestHooks } from "../test-hooks.ts";
import { declarePart, type HostWith } from "./under-test.ts";

/** Declares the tests of a host with the group `shares`; `stopShares` stops their service, as an administrator does. */
export function describeHostShares(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostWith<"shares"> & { stopShares(): Promise<void> }>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `shares: ${name}`, open, ({ it, toPath }) => {
    test("a share is found by its path, and its name is unique whatever the case", async () => {
      const { host } = it();
      await host.makeDirectory(toPath("shared"));
      await host.createShare({ name: "shared", path: toPath("shared") });
      expect(await host.shares()).toContainEqual({ name: "shared", path: toPath("shared") });
      await expect(host.createShare({ name: "SHARED", path: toPath("shared") })).rejects.toMatchObject({
        code: "HOST_EXISTS",
      });
    });

    test("the service of the shares is started and enabled, each however often", async () => {
      const { host } = it();
      await it().stopShares();
      expect(await host.sharesService()).toMatchObject({ running: false });
      for (let times = 0; times < 2; times++) {
        expect(await host.startShares(AbortSignal.timeout(30_000))).toBe(true);
        expect(await host.sharesService()).toMatchObject({ running: true });
      }
      for (let times = 0; times < 2; times++) {
        await host.enableShares();
        expect(await host.sharesService()).toEqual({ running: true, enabled: true });
      }
    });
  });
}
