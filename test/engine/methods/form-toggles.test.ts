import { describe, expect } from "vitest";
import type { Form, InstallRequest } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const lifecycle = (id: string, changes: Record<string, unknown> = {}) =>
  rawHook({ id, events: ["onAfterInstall"], rerun: undefined, ...changes });
const consent = (id: string, changes: Record<string, unknown> = {}) => lifecycle(id, { userOptional: {}, ...changes });

/** "sign-in" gates "claim" (a consent), "sync" (none) and the link "connect"; "claim" gates "report". */
const CATALOG = {
  demo: {
    hooks: [
      consent("sign-in"),
      consent("claim", { requiresHooks: ["sign-in"] }),
      lifecycle("sync", { requiresHooks: ["sign-in"] }),
      lifecycle("report", { requiresHooks: ["claim"] }),
      lifecycle("plain"),
      rawHook({ id: "connect", conditions: [on("other"), on("missing")], requiresHooks: ["sync"] }),
      rawHook({ id: "free", conditions: [on("other")] }),
    ],
  },
  other: {},
  missing: {
    installation_questions: [{ question: "Team?", type: "text", key: "team" }],
    hooks: [
      consent("terms"),
      consent("share", { requiresHooks: ["terms"], userOptional: { default: false } }),
      rawHook({ id: "watch", conditions: [on("other")], requiresHooks: ["terms"] }),
    ],
  },
};

async function open() {
  const world = await openWorld({ catalog: CATALOG });
  await settledTask(world.engine, (await world.engine.install("other")).id);
  return world;
}

const consentsOf = ({ consents }: Pick<Form, "consents">) =>
  consents.map(({ hookId, checked, available, requiresConsents }) =>
    [hookId, checked ? "on" : "off", available ? "open" : "closed", ...requiresConsents].join(" "),
  );
const linksOf = ({ links }: Form) =>
  links.map(({ hookId, available, targets }) =>
    [hookId, available ? "open" : "closed", ...targets.map(({ appId, checked }) => `${appId}:${checked}`)].join(" "),
  );

/** Issue "To the letter", row 7. */
describe("requiresHooks gates every row of the install dialog", () => {
  it("a consent says which consents it requires, and whether they are on", async () => {
    const { engine } = await open();
    expect(consentsOf(await engine.form("demo", "install"))).toEqual(["sign-in on open", "claim on open sign-in"]);
    const off = await engine.form("demo", "install", { consents: { "sign-in": false } });
    expect(consentsOf(off)).toEqual(["sign-in off open", "claim on closed sign-in"]);
  });

  it("a hook behind a toggle that is off does not run and leaves no task, through others it requires too", async () => {
    const { engine } = await open();
    const { id } = await engine.install("demo", { consents: { "sign-in": false, claim: true } });
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.children.map(({ hookId }) => hookId)).toEqual(["plain"]);
  });

  it("the preview says which hooks a toggle keeps from running", async () => {
    const { engine } = await open();
    const { hooks } = await engine.preview("demo", { consents: { "sign-in": false } });
    expect(hooks.map(({ id, consent, closedBy }) => [id, consent, closedBy])).toEqual([
      ["sign-in", false, undefined],
      ["claim", true, ["sign-in"]],
      ["sync", undefined, ["sign-in"]],
      ["report", undefined, ["sign-in"]],
      ["plain", undefined, undefined],
    ]);
  });

  it("the hooks of an upgrade are not gated: nobody is asked there", async () => {
    const offered = { train: "stable", title: "Demo", icon: "", versions: ["1.0.0"] };
    const world = await openWorld({
      catalog: {
        demo: {
          hooks: [
            consent("terms", { userOptional: { default: false } }),
            lifecycle("migrate", { events: ["onAfterUpgrade"], requiresHooks: ["terms"] }),
          ],
        },
      },
      host: { catalog: { demo: offered } },
    });
    const { engine, host } = world;
    await settledTask(engine, (await engine.install("demo")).id);
    host.script.world.catalog.set("demo", { ...offered, versions: ["1.0.0", "1.1.0"] });
    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(view.children.map(({ hookId, state }) => `${hookId} ${state}`)).toEqual(["migrate COMPLETED"]);
  });
});

/** Issue "To the letter", row 7. */
describe("the form for the toggles chosen so far", () => {
  it("closes the links behind a consent that is off, and names what fires anew", async () => {
    const { engine } = await open();
    const untouched = await engine.form("demo", "install");
    expect(linksOf(untouched)).toEqual(["connect open other:true missing:false", "free open other:true"]);
    expect(untouched.collapsed.map(({ hookId }) => hookId)).toEqual(["connect", "free"]);
    expect(untouched.request).toEqual({
      revision: expect.any(String),
      links: [
        { hookId: "connect", runsOnAppId: "demo", targets: ["other"] },
        { hookId: "free", runsOnAppId: "demo", targets: ["other"] },
      ],
    });
    const off = await engine.form("demo", "install", { ...untouched.request, consents: { "sign-in": false } });
    expect(linksOf(off)).toEqual(["connect closed other:true missing:false", "free open other:true"]);
    expect(off.collapsed.map(({ hookId }) => hookId)).toEqual(["free"]);
    expect(off.request).toEqual({
      revision: untouched.request.revision,
      consents: { "sign-in": false },
      links: [{ hookId: "free", runsOnAppId: "demo", targets: ["other"] }],
    });
    expect(off.problems).toEqual([]);
    const view = await settledTask(engine, (await engine.install("demo", off.request)).id);
    expect(view.children.map(({ hookId }) => hookId)).toEqual(["plain", "free"]);
  });

  it("counts the rows, whatever stands behind a gate or is to be installed", async () => {
    const { engine } = await open();
    const button = async (chosen: InstallRequest) => (await engine.form("demo", "install", chosen)).button;
    // Two consents, two rows of "connect", one of "free"
    expect(await button({})).toBe("Customize Install (5 options available)");
    expect(await button({ consents: { "sign-in": false } })).toBe("Customize Install (5 options available)");
    const link = { hookId: "connect", runsOnAppId: "demo", targets: ["missing"] };
    expect(await button({ links: [link] })).toBe("Customize Install (5 options available)");
  });

  it("counts one option in the singular", async () => {
    const { engine } = await openWorld({
      catalog: { demo: { hooks: [rawHook({ id: "free", conditions: [on("other")] })] }, other: {} },
    });
    await settledTask(engine, (await engine.install("other")).id);
    expect((await engine.form("demo", "install")).button).toBe("Customize Install (1 option available)");
  });

  it("answers the inline consents of a target to be installed, with their gates", async () => {
    const { engine } = await open();
    const inline = async (consents: Record<string, boolean>) => {
      const links = [
        { hookId: "connect", runsOnAppId: "demo", targets: ["missing"], install: { missing: { consents } } },
      ];
      const form = await engine.form("demo", "install", { links });
      const target = form.links[0]?.targets.find(({ appId }) => appId === "missing");
      return { consents: consentsOf({ consents: target?.consents ?? [] }), request: form.request };
    };
    expect((await inline({})).consents).toEqual(["terms on open", "share off open terms"]);
    const refused = await inline({ terms: false, share: true });
    expect(refused.consents).toEqual(["terms off open", "share on closed terms"]);
    expect(refused.request.links).toEqual([
      {
        hookId: "connect",
        runsOnAppId: "demo",
        targets: ["missing"],
        install: { missing: { consents: { terms: false, share: true } } },
      },
    ]);
    const view = await settledTask(engine, (await engine.install("demo", refused.request)).id);
    expect(view.children.find(({ appId }) => appId === "missing")?.children).toEqual([]);
  });

  it("closes a link of a target to be installed with the target's own consent", async () => {
    const world = await openWorld({ catalog: CATALOG });
    const { engine } = world;
    const watch = async (consents: Record<string, boolean>) => {
      const links = [
        { hookId: "watch", runsOnAppId: "missing", targets: ["missing"], install: { missing: { consents } } },
      ];
      const form = await engine.form("other", "install", { links });
      return [form.links.find(({ hookId }) => hookId === "watch")?.available, form.collapsed.length];
    };
    expect(await watch({})).toEqual([true, 1]);
    expect(await watch({ terms: false })).toEqual([false, 0]);
  });

  it("says what an install would refuse of them, with the place", async () => {
    const { engine } = await open();
    const links = [{ hookId: "connect", runsOnAppId: "demo", targets: ["nobody"] }];
    const form = await engine.form("demo", "install", { consents: { plain: true }, links });
    expect(form.problems.map(({ code, path }) => `${code} ${path.join(".")}`)).toEqual([
      "ANSWER_CONSENT consents.plain",
      "PAIRING_TARGET_UNKNOWN links.0.targets.0",
    ]);
  });
});

describe('links: "default"', () => {
  it("fires what the untouched dialog would, with the consents given", async () => {
    const { engine } = await open();
    const { id } = await engine.install("demo", { links: "default", consents: { "sign-in": false } });
    const view = await settledTask(engine, id);
    expect(view.children.map(({ kind, hookId }) => `${kind} ${hookId}`)).toEqual(["hook plain", "link free"]);
  });
});

it("a form of many targets that can be installed lets others have their turn between two", async () => {
  const targets = Array.from({ length: 20 }, (_, at) => `target-${at}`);
  const catalog = {
    demo: { hooks: [rawHook({ id: "connect", conditions: targets.map((id) => on(id)) })] },
    ...Object.fromEntries(targets.map((id) => [id, {}])),
  };
  const world = await openWorld({ catalog });
  await world.engine.form("demo");
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { links } = await world.engine.form("demo");
  isDone = true;
  expect(links[0]?.targets.length).toBe(targets.length);
  expect(turns).toBeGreaterThanOrEqual(targets.length);
});
