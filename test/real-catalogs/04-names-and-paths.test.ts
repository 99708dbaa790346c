/** Rows 4 and 11: what the host always refuses is said by `validate`, or before anything is made. */
import { describe, expect } from "vitest";
import { isEngineError } from "../../src/core/codes/problems.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { rawScript } from "../support/scripts/scripts.ts";

const codesOf = (appId: string) =>
  parseDictionary({ appId, text: JSON.stringify(rawScript({})) }).problems.map(({ code }) => code);

const PHOTOS = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [
    { path: "$LOCATION(ApplicationsPerformance)/photos/data", network_share: true, owner: { user: "apps" } },
  ],
};

const hostPath = (path: string) => ({ type: "host_path", host_path_config: { acl_enable: false, path } });

async function open(appValues: Record<string, unknown>) {
  return openWorld({
    catalog: { photos: { ...PHOTOS, app_values: appValues } },
    host: { datasets: ["tank", "tank/apps"] },
  });
}

describe("an app id the host would refuse", () => {
  it.each(["2fauth", "my_app", "photos-", "-photos", "Photos", "a".repeat(41)])(
    "%s is an error of the script",
    (id) => {
      expect(codesOf(id)).toEqual(["SCRIPT_APP_ID_INVALID"]);
    },
  );

  it.each(["a", "photos-2", "p2", "a".repeat(40)])("is not %s", (id) => {
    expect(codesOf(id)).toEqual([]);
  });
});

describe("a host path in the app's values", () => {
  it("that is not on the host refuses the install with its place, and nothing is made", async () => {
    const { engine, host } = await open({
      storage: { library: hostPath("/mnt/tank/pictures"), additional_storage: [hostPath("/mnt/tank/more")] },
    });
    const error: unknown = await engine.install("photos").catch((thrown: unknown) => thrown);
    if (!isEngineError(error)) throw error;
    expect(error.code).toBe("HOST_PATH_MISSING");
    expect(error.message).toBe(
      'the path "/mnt/tank/pictures" of "storage.library" is not on the host; the path "/mnt/tank/more" of "storage.additional_storage.0" is not on the host',
    );
    expect(host.script.changes()).toEqual([]);
  });

  it("that the install makes itself, or that is there, refuses nothing", async () => {
    const { engine } = await open({
      storage: {
        data: "$HOST_PATH($LOCATION(ApplicationsPerformance)/photos/data)",
        parent: "$HOST_PATH($LOCATION(ApplicationsPerformance)/photos)",
        all: hostPath("/mnt/tank"),
      },
    });
    expect(await settledTask(engine, (await engine.install("photos")).id)).toMatchObject({ state: "COMPLETED" });
  });
});
