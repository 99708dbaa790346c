import { describe, expect } from "vitest";
import type { InstallRequest } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const consent = (id: string) => rawHook({ id, events: ["onAfterInstall"], rerun: undefined, userOptional: {} });
const CATALOG = {
  demo: {
    hooks: [
      consent("sign-in"),
      rawHook({ id: "one", conditions: [on("other")] }),
      rawHook({ id: "two", conditions: [on("other")], requiresHooks: ["sign-in"] }),
    ],
  },
  other: {
    installation_questions: [{ question: "Team?", type: "text", key: "team", required: true }],
    app_values: { team: "$QUESTION(team)" },
    hooks: [consent("terms")],
  },
  plain: {},
};

async function open() {
  return openWorld({ catalog: CATALOG });
}

const select = (hookId: string, install?: Pick<InstallRequest, "answers" | "consents">) => ({
  hookId,
  runsOnAppId: "demo",
  targets: ["other"],
  ...(install !== undefined && { install: { other: install } }),
});

/** Specification, "Install dialog"; rows 2, 3 and 5 as pure data: test/core/hooks/install-links.test.ts. */
describe("install dialog", () => {
  it("1: the button is shown where the app has pairings, from either side, and nowhere else", async () => {
    const { engine } = await open();
    expect((await engine.form("demo", "install")).button).toBe("Customize Install (3 options available)");
    expect((await engine.form("other", "install")).button).toBe("Customize Install (3 options available)");
    expect(await engine.form("plain", "install")).not.toHaveProperty("button");
  });

  it("1: the default path never forces it open: an install without links runs none", async () => {
    const { engine } = await open();
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ hookId: "sign-in" }] });
    expect(view.children).toHaveLength(1);
  });

  it("4: a missing target brings its questions and consents, and installs with the user's choices", async () => {
    const { engine, host } = await open();
    const [link] = (await engine.form("demo", "install")).links;
    expect(link?.targets).toMatchObject([
      {
        appId: "other",
        installable: true,
        steps: [{ sections: [{ questions: [{ key: "team" }] }] }],
        consents: [{ hookId: "terms", label: "Connect", default: true }],
      },
    ]);
    const choices = { answers: { team: "blue" }, consents: { terms: false } };
    const { id } = await engine.install("demo", { links: [select("one", choices)] });
    const view = await settledTask(engine, id);
    const child = view.children.find(({ kind }) => kind === "install");
    expect(child).toMatchObject({ appId: "other", state: "COMPLETED", children: [] });
    expect(await host.appConfig("other")).toMatchObject({ team: "blue" });
  });

  it("4: a missing target without its required answer rejects the request whole", async () => {
    const { engine, host } = await open();
    await expect(engine.install("demo", { links: [select("one")] })).rejects.toMatchObject({
      details: { problems: [{ path: ["links", 0, "install", "other", "answers", "team"] }] },
    });
    expect(host.script.changes()).toEqual([]);
  });

  it("5: a link behind a consent that was refused rejects the request, an untouched consent lets it pass", async () => {
    const { engine } = await open();
    await settledTask(engine, (await engine.install("other", { answers: { team: "red" } })).id);
    const links = [select("two")];
    await expect(engine.install("demo", { links, consents: { "sign-in": false } })).rejects.toMatchObject({
      code: "PAIRING_LINK_GATED",
    });
    const view = await settledTask(engine, (await engine.install("demo", { links })).id);
    expect(view.children.map(({ hookId, state }) => `${hookId} ${state}`)).toEqual([
      "sign-in COMPLETED",
      "two COMPLETED",
    ]);
  });
});

/** Specification, "Pairing plan"; rows 3 to 5 with their edges: links.test.ts, pairing-rules.test.ts. */
describe("pairing plan", () => {
  it("1, 2: links are child tasks of the install and run one at a time, in the order given", async () => {
    const { engine } = await open();
    await settledTask(engine, (await engine.install("other", { answers: { team: "red" } })).id);
    const { id } = await engine.install("demo", { links: [select("two"), select("one")] });
    await settledTask(engine, id);
    const last = engine.lastSeq();
    const running = new Map<string, string>();
    const started: string[] = [];
    for await (const { seq, task } of engine.watch(0)) {
      if (task.kind === "link") {
        if (task.state === "RUNNING" && running.get(task.id) !== "RUNNING") started.push(task.hookId ?? "");
        running.set(task.id, task.state);
        expect([...running.values()].filter((state) => state === "RUNNING").length).toBeLessThanOrEqual(1);
        expect(task.parent).toBe(id);
      }
      if (seq === last) break;
    }
    expect(started).toEqual(["two", "one"]);
  });
});
