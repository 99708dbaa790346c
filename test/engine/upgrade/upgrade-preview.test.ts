import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

const hook = (id: string, events: readonly unknown[], changes: Record<string, unknown> = {}) =>
  rawHook({ id, title: `Do ${id}`, events, rerun: undefined, ...changes });

describe("the preview of an upgrade", () => {
  it("says the versions and the hooks of the task that follows, and rejects as the upgrade does", async () => {
    const offered = { train: "stable", title: "Demo", icon: "", versions: ["1.0.0"] };
    const world = await openWorld({
      catalog: {
        demo: {
          hooks: [
            hook("after", ["onAfterUpgrade"]),
            hook("before", ["onBeforeUpgrade"]),
            hook("elsewhere", [{ event: "onAfterUpgrade", from: ">=2" }]),
            hook("consented", ["onAfterInstall", "onAfterUpgrade"], { userOptional: {} }),
          ],
        },
      },
      host: { catalog: { demo: offered } },
    });
    const { engine, host } = world;
    await expect(engine.previewUpgrade("demo")).rejects.toMatchObject({ code: "TASK_APP_NOT_INSTALLED" });
    await settledTask(engine, (await engine.install("demo")).id);
    await expect(engine.previewUpgrade("demo")).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
    host.script.world.catalog.set("demo", { ...offered, versions: ["1.0.0", "1.1.0"] });
    const preview = await engine.previewUpgrade("demo");
    expect(preview).toMatchObject({ appId: "demo", from: "1.0.0", to: "1.1.0" });
    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(preview.hooks.map(({ id, title }) => `${id} ${title}`)).toEqual(["before Do before", "after Do after"]);
    expect(view.children.map(({ hookId }) => hookId)).toEqual(preview.hooks.map(({ id }) => id));
  });
});
