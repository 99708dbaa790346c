/** The parts about datasets, their snapshots and clones. */
import type { TestHooks } from "../test-hooks.ts";
import { declarePart, type HostWith } from "./under-test.ts";

/** `dataset`: name of the one mounted at the folder of the suite. */
type WithDataset = { readonly dataset: string };

/** Declares the tests of a host with the group `datasets`; `madeAcltype`: of a dataset the host makes. */
export function describeHostDatasets(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostWith<"datasets"> & WithDataset & { readonly madeAcltype: string }>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `datasets: ${name}`, open, ({ it, toPath }) => {
    test("a dataset that is made holds its paths, and accepts the ACL mode", async () => {
      const { host, dataset, madeAcltype: acltype } = it();
      const made = `${dataset}/photos`;
      const mountpoint = toPath("photos");
      expect(await host.dataset(made)).toBeNull();
      await host.createDataset(made);
      expect(await host.dataset(made)).toMatchObject({ name: made, mountpoint, acltype });
      expect(await host.datasetOf(mountpoint)).toMatchObject({ dataset: made, mountpoint });
      await host.setDatasetAclMode(made, "PASSTHROUGH");
      expect(await host.dataset(made)).toMatchObject({ aclmode: "PASSTHROUGH" });
      expect(await host.holdsDatasets(dataset)).toBe(true);
      expect(await host.holdsDatasets(made)).toBe(false);
      await expect(host.createDataset(made)).rejects.toMatchObject({ code: "HOST_EXISTS" });
      await expect(host.createDataset(`${dataset}/no/parent`)).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
    });
  });
}

/** Declares the tests of a host with the group `snapshots`. */
export function describeHostSnapshots(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostWith<"snapshots"> & WithDataset>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `snapshots: ${name}`, open, ({ it, toPath }) => {
    test("snapshots keep their metadata, are made once, and may be deleted twice", async () => {
      const { host, dataset, app } = it();
      const properties = { "platform:app": app.id, "platform:path": toPath("config") };
      const snapshot = { dataset, name: `platform-app-${app.id}-config-20260101T000000Z`, properties };
      await host.createSnapshot(snapshot);
      expect(await host.snapshotNames(dataset)).toEqual([snapshot.name]);
      const [found, ...others] = await host.snapshots(dataset, ["gone", snapshot.name]);
      expect(found).toMatchObject(snapshot);
      expect(others).toEqual([]);
      await expect(host.createSnapshot(snapshot)).rejects.toMatchObject({ code: "HOST_EXISTS" });
      await host.deleteSnapshot(dataset, snapshot.name);
      await host.deleteSnapshot(dataset, snapshot.name);
      expect(await host.snapshotNames(dataset)).toEqual([]);
      for (const names of [[snapshot.name], []]) expect(await host.snapshots(dataset, names)).toEqual([]);
    });
  });
}

/** Declares the tests of a host with the groups `datasets`, `snapshots` and `clones`. */
export function describeHostClones(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostWith<"datasets"> & HostWith<"snapshots"> & HostWith<"clones"> & WithDataset>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `clones: ${name}`, open, ({ it, toPath, create, end, awaitRunning, values }) => {
    test("a clone of a snapshot takes its dataset's place, and the snapshots with it once it is promoted", async () => {
      const { host, dataset } = it();
      const made = `${dataset}/photos`;
      await host.createDataset(made);
      const { acltype } = (await host.dataset(made)) ?? {};
      await host.makeDirectory(toPath("photos/old"));
      for (const at of ["first", "last"]) await host.createSnapshot({ dataset: made, name: at, properties: {} });
      await host.makeDirectory(toPath("photos/new"));
      await host.cloneSnapshot(made, "first", `${made}-restored`);
      await expect(host.cloneSnapshot(made, "first", `${made}-restored`)).rejects.toMatchObject({
        code: "HOST_EXISTS",
      });
      expect(await host.dataset(`${made}-restored`)).toMatchObject({ acltype, origin: `${made}@first` });
      // A release that can't rename datasets can still clone snapshots.
      if (!(await host.renamesDatasets())) return;
      await host.renameDataset(made, `${made}-before`);
      await expect(host.renameDataset(made, `${made}-again`)).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
      await host.renameDataset(`${made}-restored`, made);
      await host.promoteDataset(made);
      expect(await host.stat(toPath("photos/old"))).toMatchObject({ type: "DIRECTORY" });
      expect(await host.stat(toPath("photos/new"))).toBeNull();
      expect(await host.stat(toPath("photos-before/new"))).toMatchObject({ type: "DIRECTORY" });
      expect(await host.snapshotNames(made)).toEqual(["first"]);
      expect(await host.snapshotNames(`${made}-before`)).toEqual(["last"]);
      expect(await host.dataset(`${made}-before`)).toMatchObject({ origin: `${made}@first` });
    });

    test("a dataset that a running app has mounted is not renamed, or is as a whole", async () => {
      const { host, dataset } = it();
      if (!(await host.renamesDatasets())) return;
      await host.createDataset(`${dataset}/busy`);
      await end(create({ values: values(toPath("busy")) }));
      await awaitRunning();
      const renaming = host.renameDataset(`${dataset}/busy`, `${dataset}/moved`);
      const refusal: unknown = await renaming.then(
        () => null,
        (error: unknown) => error,
      );
      if (refusal !== null) expect(refusal).toMatchObject({ code: "HOST_DATASET_BUSY" });
      const isThere = async (name: string) => (await host.stat(toPath(name))) !== null;
      expect([await isThere("busy"), await isThere("moved")]).toEqual([refusal !== null, refusal === null]);
    });
  });
}
