/** Upgrades to a version a person chose. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { rawScript } from "../../support/scripts/scripts.ts";
import { installOldDemo } from "./old-demo.ts";

const VERSIONS = ["0.9.0", "1.0.0", "1.1.0", "1.2.0", "2.0.0"];

async function installDemo() {
  const { engine, host } = await installOldDemo({}, ["1.0.0"]);
  const offered = { train: "stable", title: "Demo", icon: "", versions: VERSIONS, changelog: "Everything new" };
  host.script.world.catalog.set("demo", offered);
  return { engine, host };
}

/** A custom app of this version; its image goes with it. */
const custom = (version: string, scriptVersion: string) =>
  rawScript({
    custom: true,
    metadata: { name: "Own", description: "d", icon: "own.svg", version },
    script: { version: scriptVersion, changeLog: `Brings ${version}` },
    app_values: { image: `own:${version}` },
  });

describe("an upgrade to a chosen version", () => {
  it("leads there and no further, and its result names both versions", async () => {
    const { engine, host } = await installDemo();
    const { id } = await engine.upgrade("demo", { version: "1.1.0" });
    expect(await settledTask(engine, id)).toMatchObject({
      state: "COMPLETED",
      result: { app: "upgraded", from: "1.0.0", to: "1.1.0" },
    });
    expect(host.script.world.instances.get("demo")?.app.version).toBe("1.1.0");
    await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(host.script.world.instances.get("demo")?.app.version).toBe("2.0.0");
  });

  it("is previewed with every version there is, and what is written about those on the way", async () => {
    const { engine } = await installDemo();
    const versions = ["2.0.0", "1.2.0", "1.1.0"];
    expect(await engine.previewUpgrade("demo")).toMatchObject({
      from: "1.0.0",
      to: "2.0.0",
      versions,
      changelog: [{ version: "2.0.0", notes: "Everything new" }, { version: "1.2.0" }, { version: "1.1.0" }],
    });
    const chosen = { version: "1.2.0" };
    const move = { from: "1.0.0", to: "1.2.0", versions, changelog: [{ version: "1.2.0" }, { version: "1.1.0" }] };
    expect(await engine.previewUpgrade("demo", chosen)).toMatchObject(move);
    expect((await engine.form("demo", "upgrade", chosen)).upgrade).toMatchObject(move);
    expect((await engine.preview("demo", chosen, "upgrade")).upgrade).toEqual(move);
  });

  it("is refused where it is not offered, naming what is, and where it leads back", async () => {
    const { engine, host } = await installDemo();
    const before = host.script.changes().length;
    await expect(engine.upgrade("demo", { version: "1.3.0" })).rejects.toMatchObject({
      code: "TASK_VERSION_UNKNOWN",
      message: `"demo" can't be upgraded to 1.3.0: there are 2.0.0, 1.2.0, 1.1.0`,
      details: { appId: "demo", version: "1.3.0", installed: "1.0.0", versions: ["2.0.0", "1.2.0", "1.1.0"] },
    });
    for (const version of ["0.9.0", "1.0.0"])
      await expect(engine.upgrade("demo", { version })).rejects.toMatchObject({ code: "TASK_VERSION_NOT_NEWER" });
    expect((await engine.preview("demo", { version: "0.9.0" }, "upgrade")).problems).toMatchObject([
      { code: "TASK_VERSION_NOT_NEWER", severity: "error" },
    ]);
    expect(host.script.changes()).toHaveLength(before);
  });

  it("is no part of another request", async () => {
    const { engine } = await installDemo();
    const faulty = { code: "TASK_REQUEST_INVALID" };
    await expect(engine.preview("demo", { version: "1.1.0" }, "options")).rejects.toMatchObject(faulty);
    await expect(engine.form("demo", "install", { version: "1.1.0" })).rejects.toMatchObject(faulty);
  });

  it("takes a custom app to the newest script of that version", async () => {
    const { engine, host, write } = await openWorld({ catalog: { own: custom("1.0.0", "1.0.0") } });
    await settledTask(engine, (await engine.install("own")).id);
    write({
      "own@1.1.json": JSON.stringify(custom("1.5.0", "1.1.0")),
      "own@1.2.json": JSON.stringify(custom("1.5.0", "1.2.0")),
      "own@1.3.json": JSON.stringify(custom("2.0.0", "1.3.0")),
    });
    await engine.syncCatalog();
    expect(await engine.previewUpgrade("own", { version: "1.5.0" })).toMatchObject({
      to: "1.5.0",
      versions: ["2.0.0", "1.5.0"],
      changelog: [{ scriptVersion: "1.2.0" }, { scriptVersion: "1.1.0" }],
    });
    await expect(engine.upgrade("own", { version: "1.9.0" })).rejects.toMatchObject({ code: "TASK_VERSION_UNKNOWN" });
    const { id } = await engine.upgrade("own", { version: "1.5.0" });
    expect((await settledTask(engine, id)).result).toMatchObject({ from: "1.0.0", to: "1.5.0" });
    expect(host.script.world.instances.get("own")?.values).toEqual({ image: "own:1.5.0" });
  });
});
