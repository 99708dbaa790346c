import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../support/engine/engine-world.ts";
import { FAILS_AS_WISHED, on, rawHook, WISH } from "../support/scripts/scripts.ts";

const hub = {
  hooks: [
    rawHook({ id: "both", conditions: [on("alpha"), on("beta")], scriptContent: FAILS_AS_WISHED }),
    rawHook({ id: "alpha-only", conditions: [on("alpha")], scriptContent: FAILS_AS_WISHED, inputs: [WISH] }),
    rawHook({ id: "later", conditions: [on("beta")], scriptContent: FAILS_AS_WISHED }),
  ],
};

async function open(): Promise<EngineWorld> {
  return openWorld({ catalog: { hub, alpha: {}, beta: {} } });
}

async function install({ engine }: EngineWorld, ...apps: readonly string[]): Promise<void> {
  for (const app of apps)
    expect(await settledTask(engine, (await engine.install(app)).id)).toMatchObject({ state: "COMPLETED" });
}

/** A fresh answer of the host: the last one serves all surfaces for a second. */
async function panelOf({ engine }: EngineWorld, appId: string, wanted: readonly string[]): Promise<void> {
  const rows = async () =>
    (await engine.app(appId))?.pairings.map(({ hookId, target, status }) => `${hookId} ${target.appId} ${status}`);
  await expect.poll(rows).toEqual(wanted);
}

describe("app card", () => {
  it("1: the panel lists every target, in both directions, as installed or not installed", async () => {
    const here = await open();
    await install(here, "hub", "alpha");
    await panelOf(here, "hub", [
      "both alpha installed",
      "both beta not installed",
      "alpha-only alpha installed",
      "later beta not installed",
    ]);
    await panelOf(here, "alpha", ["both hub installed", "alpha-only hub installed"]);
  });

  it("1: a target is connected once the hook's last run completed, until a run fails or an app is installed anew", async () => {
    const here = await open();
    const { engine, host } = here;
    await install(here, "alpha", "hub");
    const press = async (value?: string) => {
      const inputs = value === undefined ? {} : { inputs: { wish: value } };
      const { id } = await engine.runAction("hub", "alpha-only", inputs);
      await settledTask(engine, id);
      return id;
    };
    const status = (word: string, both = "installed") => [
      `both alpha ${both}`,
      "both beta not installed",
      `alpha-only alpha ${word}`,
      "later beta not installed",
    ];
    await press("well");
    await panelOf(here, "hub", status("connected"));
    await panelOf(here, "alpha", ["both hub installed", "alpha-only hub connected"]);

    const asking = await press();
    await panelOf(here, "hub", status("connected"));
    await engine.cancel(asking);
    await press("well");
    await press("fail");
    await panelOf(here, "hub", status("installed"));
    await engine.cancel(engine.tasks({ appId: "hub", unfinished: true })[0]?.id ?? "");
    await press("well");
    await panelOf(here, "hub", status("connected"));

    host.script.world.instances.delete("alpha");
    await panelOf(here, "hub", status("not installed", "not installed"));
    await install(here, "alpha");
    await panelOf(here, "hub", status("installed"));
  });

  it("2: lists outgoing pairings whose target is not installed, one row per target", async () => {
    const here = await open();
    await install(here, "hub");
    await expect
      .poll(async () => (await here.engine.app("hub"))?.suggestions)
      .toMatchObject([
        { hookId: "both", target: { appId: "alpha", name: "ALPHA" } },
        { hookId: "both", target: { appId: "beta", name: "BETA" } },
      ]);
    expect((await here.engine.app("alpha"))?.suggestions).toEqual([]);
  });

  it("calls nothing not installed while the host can't be asked", async () => {
    const here = await open();
    here.host.script.setAppsService("STOPPED");
    const card = await here.engine.app("hub");
    expect(card).toMatchObject({ pairings: [], suggestions: [] });
    expect(card).not.toHaveProperty("installed");
  });
});
