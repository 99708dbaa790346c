import { afterEach, expect, test } from "vitest";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { type HostWork, openHostWork } from "../support/host/host-work.ts";

let work: HostWork;
afterEach(() => work.stop());

/** Own settings by their names in zfs; a query hides the first and renames the second. */
const OWN = { aclinherit: "passthrough", special_small_blocks: "16384", recordsize: "1048576", atime: "off" };

test.each(GENERATIONS)(
  "%s: a clone keeps the settings its dataset has of its own, and no others",
  async (generation) => {
    work = await openHostWork({ generation });
    const { host, standin } = work;
    const { datasets } = standin.control.state();
    await host.createDataset("tank/Media/own");
    Object.assign(datasets["tank/Media/own"] ?? {}, { settings: OWN });
    Object.assign(datasets["tank/Media"] ?? {}, { settings: { compression: "zstd", aclinherit: "discard" } });
    await host.createSnapshot({ dataset: "tank/Media/own", name: "before", properties: {} });
    await host.cloneSnapshot("tank/Media/own", "before", "tank/Media/clone");
    expect(datasets["tank/Media/clone"]?.settings).toEqual(OWN);
  },
);
