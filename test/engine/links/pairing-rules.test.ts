/** Pairings and links around an install (docs/decisions.md, section 7), and what production hides (section 1). */
import { describe, expect } from "vitest";
import { DEFAULT_TIMING } from "../../../src/engine/runtime/timing.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, type EngineWorldOptions, settledTask } from "../../support/engine/engine-world.ts";

const link = (app: string, changes: Record<string, unknown> = {}) => ({
  id: `connect-${app}`,
  title: `Connect ${app}`,
  rerun: "converge",
  entrypoint: "run",
  conditions: [{ role: "visibility", type: "appInstalled", app }],
  scriptContent: "export async function run() {}",
  ...changes,
});
const selected = (app: string) => ({ hookId: `connect-${app}`, runsOnAppId: "demo", targets: [app] });

async function open(
  catalog: EngineWorldOptions["catalog"],
  engine: EngineWorldOptions["engine"] = {},
): Promise<EngineWorld> {
  return openWorld({ catalog, engine });
}

describe("an internal app", () => {
  const catalog = { demo: { internal: true, hooks: [link("other")] }, other: {} };

  it("is in no app list and no pairing, unless production is off", async () => {
    const { engine } = await open(catalog);
    expect((await engine.apps()).map(({ appId }) => appId)).toEqual(["other"]);
    expect((await engine.pairings("other")).pairings).toEqual([]);
    const { engine: dev } = await open(catalog, { production: false });
    expect(await dev.form("demo", "install")).toMatchObject({ appId: "demo" });
    expect((await dev.apps()).map(({ appId }) => appId)).toEqual(["demo", "other"]);
    expect((await dev.pairings("other")).pairings).toHaveLength(1);
  });
});

describe("an internal app in production", () => {
  const pressed = { id: "press", title: "P", rerun: "converge", scriptContent: "", entrypoint: "run" };
  const catalog = { demo: { internal: true, hooks: [link("other"), pressed] }, other: {} };

  it("is unknown to forms, previews, installs, upgrades, updates and actions", async () => {
    const { engine, host } = await open(catalog);
    const unknown = { code: "TASK_APP_UNKNOWN" };
    await expect(engine.form("demo", "install")).rejects.toMatchObject(unknown);
    await expect(engine.preview("demo", {})).rejects.toMatchObject(unknown);
    await expect(engine.install("demo")).rejects.toMatchObject(unknown);
    await expect(engine.upgrade("demo")).rejects.toMatchObject(unknown);
    await expect(engine.update("demo")).rejects.toMatchObject(unknown);
    await expect(engine.runAction("demo", "press")).rejects.toMatchObject(unknown);
    const links = [{ hookId: "connect", runsOnAppId: "demo", targets: ["demo"] }];
    await expect(engine.install("other", { links })).rejects.toMatchObject({ code: "PAIRING_LINK_UNKNOWN" });
    expect(host.script.changes()).toEqual([]);
  });
});

describe("an app whose newest file is of an unsupported version", () => {
  it("has no pairings, whatever older files say", async () => {
    const { engine, write } = await open({ demo: { hooks: [link("other")] }, other: {} });
    expect((await engine.pairings("other")).pairings).toHaveLength(1);
    write({ "demo@2.json": JSON.stringify({ version: 7, script: { version: "9.0.0" } }) });
    await engine.syncCatalog();
    expect((await engine.pairings("demo")).pairings).toEqual([]);
    expect((await engine.pairings("other")).pairings).toEqual([]);
  });
});

describe("a pairing", () => {
  it("names its targets by their script, else by the host's catalog, else by their raw id", async () => {
    const metadata = { name: "Named", description: "d", icon: "named.svg", version: "1.0.0" };
    const { engine, host } = await open({
      demo: { hooks: ["named", "hosted", "gone"].map((app) => link(app)) },
      named: { metadata },
    });
    host.script.world.catalog.set("hosted", { train: "stable", title: "Hosted", icon: "h.png", versions: ["1.0.0"] });
    const { pairings } = await engine.pairings("demo");
    expect(pairings.flatMap(({ targets }) => targets)).toEqual([
      { appId: "named", name: "Named", icon: "named.svg" },
      { appId: "hosted", name: "Hosted", icon: "h.png" },
      { appId: "gone", name: "gone", icon: "" },
    ]);
  });

  it("has no description and no kind where its hook has none", async () => {
    const { engine } = await open({
      demo: { hooks: [link("other"), link("third", { description: "d", kind: "connect" })] },
    });
    const { pairings } = await engine.pairings("demo");
    expect(pairings.map((pairing) => Object.keys(pairing))).toEqual([
      ["targets", "runsOnAppId", "hookId", "title"],
      ["targets", "runsOnAppId", "hookId", "title", "description", "kind"],
    ]);
  });

  it("is connected while its hook's last run completed after the last install of both apps", async () => {
    const { engine, host } = await open({ demo: { hooks: [link("other")] }, other: {} });
    const status = async () => (await engine.app("demo"))?.pairings.map((pairing) => pairing.status);
    await settledTask(engine, (await engine.install("demo")).id);
    expect(await status()).toEqual(["not installed"]);
    await settledTask(engine, (await engine.install("other")).id);
    // What the host says of its apps serves all surfaces for a second.
    await expect.poll(status).toEqual(["installed"]);
    await settledTask(engine, (await engine.runAction("demo", "connect-other")).id);
    expect(await status()).toEqual(["connected"]);
    host.script.world.instances.delete("other");
    await settledTask(engine, (await engine.install("other")).id);
    expect(await status()).toEqual(["installed"]);
  });
});

describe("the button of the install dialog", () => {
  it("counts the rows of the picker: links, consents and optional questions", async () => {
    const { engine } = await open({
      demo: {
        installation_questions: [
          { question: "Optional?", type: "text", key: "a" },
          { question: "Required?", type: "text", key: "b", required: true },
        ],
        hooks: [
          link("other", { conditions: [...link("other").conditions, ...link("third").conditions] }),
          {
            ...link("x"),
            id: "consented",
            rerun: undefined,
            conditions: [],
            events: ["onAfterInstall"],
            userOptional: {},
          },
        ],
      },
      other: {},
      third: {},
    });
    expect((await engine.form("demo", "install")).button).toBe("Customize Install (4 options available)");
  });
});

describe("the links of an install", () => {
  const apps = { other: {}, third: {} };

  it("come after the installs of missing targets, in the order given", async () => {
    const { engine } = await open({ demo: { hooks: [link("other"), link("third")] }, ...apps });
    const { id } = await engine.install("demo", { links: [selected("third"), selected("other")] });
    const view = await settledTask(engine, id);
    expect(view.children.map(({ kind, appId, hookId }) => `${kind} ${hookId ?? appId}`)).toEqual([
      "install third",
      "install other",
      "link connect-third",
      "link connect-other",
    ]);
    const ends = view.children.map(({ updated }) => Date.parse(updated));
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(view.children.map(({ state }) => state)).toEqual(Array(4).fill("COMPLETED"));
  });

  const waits = {
    "at a checkpoint": {
      scriptContent: `export async function run(ctx) { await ctx.awaitCheckpointRetry("a", "no"); }`,
    },
    "for an input": {
      inputs: [{ type: "question", id: "q", question: { question: "?", type: "text", key: "q", required: true } }],
    },
  };
  const decisions = ["skip", "cancel"] as const;
  const rows = Object.entries(waits).flatMap(([name, hook]) =>
    decisions.map((decision) => [name, decision, hook] as const),
  );
  it.each(rows)("wait behind one that waits %s, until %s frees them", async (_name, decision, hook) => {
    const { engine } = await open({ demo: { hooks: [link("other", hook), link("third")] }, ...apps });
    for (const app of ["other", "third"]) await settledTask(engine, (await engine.install(app)).id);
    const { id } = await engine.install("demo", { links: [selected("other"), selected("third")] });
    const [first, second] = (await settledTask(engine, id)).children;
    expect(first?.state).toMatch(/^AWAITING_/);
    expect(second?.state).toBe("PENDING");
    await engine[decision](first?.id ?? "");
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.children[1]?.state).toBe("COMPLETED");
  });

  it("wait three minutes for their apps to run", () => {
    expect(DEFAULT_TIMING.linkStart).toBe(180_000);
    expect(DEFAULT_TIMING.appPollMost).toBe(5_000);
  });
});
