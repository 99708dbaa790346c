import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Mount } from "../../../sandbox/contract.ts";

/** A mount of an app on this machine; what it holds is made anew for each test. */
export interface TestMount {
  /** The location around it; holds the file `secret` beside the mount. */
  folder: string;
  /** Where the mount lies on this machine; holds `config/a.txt`. */
  local: string;
  mounts: readonly Mount[];
}

/** The mount of the test that runs; removed with everything beside it after each. */
export function createTestMount(): TestMount {
  const mount: TestMount = { folder: "", local: "", mounts: [] };
  beforeEach(async () => {
    mount.folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-files-")));
    mount.local = join(mount.folder, "mount");
    await mkdir(join(mount.local, "config"), { recursive: true });
    await writeFile(join(mount.local, "config/a.txt"), "inside");
    await writeFile(join(mount.folder, "secret"), "outside");
    mount.mounts = [
      { hostPath: "/mnt/tank/app", containerPath: "/config", localPath: mount.local, location: mount.folder },
    ];
  });
  afterEach(() => rm(mount.folder, { recursive: true, force: true }));
  return mount;
}
