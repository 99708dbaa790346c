import { describe, expect } from "vitest";
import { renderTask } from "../../../src/cli/ui/task-text.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

/** An app with a hook and a link to one that is installed, "other", and one that is not, "missing". */
async function open() {
  const world = await openWorld({
    catalog: {
      demo: {
        hooks: [
          rawHook({ id: "setup", title: "Set up", events: ["onAfterInstall"], rerun: undefined }),
          rawHook({ id: "link", title: "Share the library", conditions: [on("other"), on("missing")] }),
        ],
      },
      other: {},
      missing: {},
      plain: {},
    },
  });
  await settledTask(world.engine, (await world.engine.install("other")).id);
  return world;
}

/** Issue "To the letter", row 12. */
describe("the names of the specification", () => {
  it('the section of the links is "Link with your installed apps"', async () => {
    const { engine } = await open();
    expect((await engine.form("demo", "install")).linksTitle).toBe("Link with your installed apps");
    expect(await engine.form("plain", "install")).not.toHaveProperty("linksTitle");
  });

  it('the row of a missing target is "Install and Connect to {target}", in the dialog and in the plan', async () => {
    const { engine } = await open();
    const [link] = (await engine.form("demo", "install")).links;
    expect(link?.targets.map(({ label }) => label)).toEqual(["OTHER", "Install and Connect to MISSING"]);
    const links = [{ hookId: "link", runsOnAppId: "demo", targets: ["other", "missing"] }];
    const view = await settledTask(engine, (await engine.install("demo", { links })).id);
    expect(view.children.map(({ label }) => label)).toEqual([
      "Set up",
      "Install and Connect to MISSING",
      "Share the library",
    ]);
    expect(view.label).toBe("Install DEMO");
  });

  it('links and the installs they need stand in the group "App customizations"', async () => {
    const { engine } = await open();
    const links = [{ hookId: "link", runsOnAppId: "demo", targets: ["other", "missing"] }];
    const { id } = await engine.install("demo", { links });
    const view = await settledTask(engine, id);
    const group = "App customizations";
    expect(view.children.map((child) => child.group)).toEqual([undefined, group, group]);
    expect(view).not.toHaveProperty("group");
    for await (const { seq, task } of engine.watch(0)) {
      if (task.kind === "link") expect(task.group).toBe(group);
      if (seq === engine.lastSeq()) break;
    }
    const lines = renderTask(view);
    expect(lines.filter((line) => line.trim() === group)).toHaveLength(1);
    expect(lines.findIndex((line) => line.trim() === group)).toBe(
      lines.findIndex((line) => line.includes("Install and Connect to MISSING")) - 1,
    );
  });

  it("a link pressed later stands in no group", async () => {
    const { engine } = await open();
    await settledTask(engine, (await engine.install("missing")).id);
    await settledTask(engine, (await engine.install("demo")).id);
    const view = await settledTask(engine, (await engine.runAction("demo", "link")).id);
    expect(view.state).toBe("COMPLETED");
    expect(view).not.toHaveProperty("group");
  });
});
