/** What newer releases of the host do to data otherwise than older ones. */
import { mkdirSync, symlinkSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { GENERATIONS, isSince } from "../../src/standin/settings.ts";
import { offerJellyfin } from "../support/host/full-contract.ts";
import { type HostWork, openHostWork } from "../support/host/host-work.ts";

const LOCATION = "ApplicationsPerformance";

let work: HostWork;
afterEach(() => work.stop());

test.each(GENERATIONS.filter((one) => isSince(one, "25.10")))(
  "%s: a rename of a dataset in use is refused before 26.0, and unmounts it by force later",
  async (generation) => {
    work = await openHostWork({ generation });
    const { host, run } = work;
    await host.createDataset(`tank/${LOCATION}/busy`);
    const { train, values } = offerJellyfin("");
    const app = { name: "jellyfin", catalogApp: "jellyfin", train } as const;
    const created = await run({ method: "createApp", ...app, values: values(18_096, `/mnt/tank/${LOCATION}/busy`) });
    expect(created).toEqual({ ok: true });
    await expect.poll(async () => (await host.app("jellyfin"))?.state).toBe("RUNNING");
    const renaming = host.renameDataset(`tank/${LOCATION}/busy`, `tank/${LOCATION}/moved`);
    if (isSince(generation, "26.0")) await renaming;
    else await expect(renaming).rejects.toMatchObject({ code: "HOST_DATASET_BUSY" });
  },
);

test.each(GENERATIONS)(
  "%s: a path with a link in it gets its owner before 26.0, and is refused later",
  async (generation) => {
    work = await openHostWork({ generation });
    const { host, run, standin } = work;
    mkdirSync(standin.localPath(`/mnt/tank/${LOCATION}/real`));
    symlinkSync("real", standin.localPath(`/mnt/tank/${LOCATION}/link`));
    const path = `/mnt/tank/${LOCATION}/link`;
    const acl = await host.acl(path);
    if (acl === null || acl.acltype === "DISABLED") throw new Error("the location has no ACLs");
    const end = await run({ method: "setOwner", path, uid: 568, gid: 568, acl });
    expect(end.ok).toBe(!isSince(generation, "26.0"));
    expect(await host.stat(path)).toMatchObject({ uid: isSince(generation, "26.0") ? 0 : 568 });
  },
);
