import { describe, expect, it } from "vitest";
import { hasConsent } from "../../../src/core/hooks/consents.ts";
import { isInRange, selectDueHooks } from "../../../src/core/hooks/hook-selection.ts";
import type { LifecycleEvent } from "../../../src/core/script/dictionary.ts";
import { dictionaryOf, hookOf } from "../../support/scripts/scripts.ts";

const lifecycle = (changes: Record<string, unknown>) => ({
  id: "setup",
  title: "Set up",
  entrypoint: "run",
  scriptContent: "export async function run() {}",
  ...changes,
});

const due = (hooks: readonly unknown[], event: LifecycleEvent, more: Record<string, unknown> = {}) =>
  selectDueHooks(dictionaryOf("demo", { hooks }).hooks, { event, consents: {}, ...more }).map(({ hook, consent }) =>
    consent === undefined ? hook.id : `${hook.id}: ${consent}`,
  );

describe("the hooks due at an event", () => {
  const hooks = [
    lifecycle({ id: "after", events: ["onAfterInstall"] }),
    lifecycle({ id: "both", events: ["onAfterInstall", "onAfterUpgrade"] }),
    lifecycle({ id: "consented", events: ["onAfterInstall", "onAfterUpgrade"], userOptional: {} }),
    lifecycle({ id: "declined", events: ["onAfterInstall"], userOptional: { default: false } }),
  ];

  it.each([
    ["onBeforeInstall", []],
    ["onAfterInstall", ["after", "both", "consented: true", "declined: false"]],
    ["onBeforeUpgrade", []],
    ["onAfterUpgrade", ["both"]],
  ] as const)("at %s are those that name it, in the order declared; none with consent at an upgrade", (event, ids) => {
    expect(due(hooks, event, { from: "1.0.0", to: "2.0.0" })).toEqual(ids);
  });

  it("take the consents a person touched over the defaults", () => {
    const consents = { consented: false, declined: true };
    expect(due(hooks, "onAfterInstall", { consents })).toEqual(["after", "both", "consented: false", "declined: true"]);
  });

  it.each([
    ["<2", "^2", true],
    [">=1.5", undefined, false],
    [undefined, "3.x", false],
    [undefined, undefined, true],
  ])("of an upgrade match the range departed (%s) and the range installed (%s): %s", (from, to, fires) => {
    const events = [{ event: "onAfterUpgrade", ...(from && { from }), ...(to && { to }) }];
    const versions = { from: "1.2.3", to: "2.0.0" };
    expect(due([lifecycle({ events })], "onAfterUpgrade", versions)).toEqual(fires ? ["setup"] : []);
  });
});

describe("ranges include prereleases, versions are coerced, what is no version is in no range", () => {
  it.each([
    ["1.2.3", "^1", true],
    ["2.0.0-beta.1", ">=2.0.0-alpha", true],
    ["2.0.0-beta.1", "<2.0.0", true],
    ["2.0.0-beta.1", "<2", false],
    ["v3.1", ">=3", true],
    ["1.43.3.10896-abc", "^1.43", true],
    ["latest", "*", false],
    [undefined, "*", false],
    ["1.0.0", "no range", false],
  ])("%s in %s: %s", (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });
});

describe("consent", () => {
  it("that nobody touched is its default, on unless the script says off", () => {
    const hook = hookOf("demo", { events: ["onAfterInstall", "userAction"], userOptional: {} });
    expect(hasConsent(hook, {})).toBe(true);
    expect(hasConsent({ ...hook, id: "toString" }, {})).toBe(true);
    expect(hasConsent(hook, { [hook.id]: false })).toBe(false);
  });
});
