/** What is not read is said once, and nothing else is said of it. */
import { expect, it } from "vitest";
import { diagnosticsOf } from "../../support/scripts/diagnostics.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

const hook5 = (changes: Record<string, unknown>) => ({
  version: 5,
  hooks: [{ id: "h", event: "onAfterInstall", scriptContent: "", entrypoint: "run", ...changes }],
});

it("a future event with fields of its own leaves no problem but the info", () => {
  const event = { event: "onMoonrise", from: "full", phase: 1 };
  expect(diagnosticsOf({ hooks: [rawHook({ events: ["userAction", event] })] })).toEqual([
    'info HOOK_EVENT_FUTURE "onMoonrise"',
  ]);
});

it("an entry of events that names userAction, or no event, is an error with whatever else it has", () => {
  const events = ["userAction", { event: "userAction", from: "full" }, { to: "<2" }];
  expect(diagnosticsOf({ hooks: [rawHook({ events })] })).toEqual([
    'error SCRIPT_VALUE_UNKNOWN "userAction"',
    'error SCRIPT_VALUE_FORM "full"',
    "error SCRIPT_FIELD_MISSING {",
  ]);
});

it.each([
  ["requiresHooks", ["other", "other"]],
  ["surfaces", ["card", "card", "roof"]],
  ["events", ["onAfterInstall", "onAfterInstall", { event: "onAfterInstall", from: "<2.0.0" }]],
  ["conditions", [{ role: "visibility", type: "capabilityPresent", capability: "gpu" }]],
])("the version 6 field %s of a version 5 hook is an unknown key and no more", (key, value) => {
  expect(diagnosticsOf(hook5({ [key]: value }))).toEqual([`warning SCRIPT_KEY_UNKNOWN "${key}"`]);
});

it("widgets that are not read may have any type", () => {
  expect(diagnosticsOf({ widgets: {} })).toEqual(['warning SCRIPT_WIDGETS_SCHEMA_MISSING "widgets"']);
  expect(diagnosticsOf({ widgetsSchema: 3, widgets: "none" })).toEqual(["warning SCRIPT_WIDGETS_SCHEMA 3"]);
});
