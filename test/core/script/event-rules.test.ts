/** When a hook fires and what it depends on: its events, their ranges, its conditions. */
import { describe } from "vitest";
import { hook, hook5, lifecycle, testRules, widget } from "../../support/scripts/rule-rows.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

describe('specification, "Errors"', () =>
  testRules([
    [
      "from/to on an install event",
      lifecycle({ events: [{ event: "onBeforeInstall", from: "<2.0.0", to: ">=2.0.0" }] }),
      ['error HOOK_RANGE_ON_INSTALL "from"', 'error HOOK_RANGE_ON_INSTALL "to"'],
    ],
    [
      "userAction together with an upgrade event that carries from/to",
      hook({ events: [{ event: "onAfterUpgrade", to: ">=2.0.0" }, "userAction"] }),
      ['error HOOK_RANGE_WITH_USER_ACTION "userAction"'],
    ],
    [
      "onBeforeInstall with onAfterInstall in one declaration",
      lifecycle({ events: ["onBeforeInstall", "onAfterInstall"] }),
      ['error HOOK_EVENTS_CLASH "onAfterInstall"'],
    ],
    [
      "the two upgrade events in one declaration",
      lifecycle({ events: ["onAfterUpgrade", { event: "onBeforeUpgrade" }] }),
      ["error HOOK_EVENTS_CLASH {"],
    ],
    [
      "appVersion condition on the declaring app, on a hook with an upgrade trigger",
      lifecycle({ events: ["onAfterUpgrade"], conditions: [{ ...on("example", "appVersion"), range: "*" }] }),
      ["error HOOK_OWN_VERSION_GATE {", 'info CONDITION_NEVER_PASSES "appVersion"'],
    ],
    [
      "lifecycle trigger together with a cross-app condition",
      lifecycle({ conditions: [on("plex")] }),
      ['error HOOK_CROSS_APP_LIFECYCLE "plex"'],
    ],
  ]));

describe('specification, "Event placement rules"', () =>
  testRules([
    [
      "4: a version 5 event in a version 6 hook is an error",
      hook({ event: "onAfterInstall" }),
      ['error HOOK_EVENT_V5 "event"'],
    ],
    [
      "5: a condition in a version 6 hook is ignored with a warning",
      lifecycle({ events: ["onAfterUpgrade"], condition: { fromVersionRange: "<2" } }),
      ['warning HOOK_CONDITION_V5 "condition"'],
    ],
    [
      "an upgrade event with from and to is fine",
      lifecycle({ events: [{ event: "onAfterUpgrade", from: "<2", to: ">=2" }] }),
      [],
    ],
    ["userAction beside an unbound lifecycle event is fine", hook({ events: ["onAfterInstall", "userAction"] }), []],
    [
      "from that is no range",
      lifecycle({ events: [{ event: "onAfterUpgrade", from: "soon" }] }),
      ['error SCRIPT_VALUE_FORM "soon"'],
    ],
    [
      "userAction as an object entry",
      hook({ events: [{ event: "userAction" }], rerun: undefined }),
      ["error HOOK_EVENTS_NONE [", 'error SCRIPT_VALUE_UNKNOWN "userAction"'],
    ],
  ]));

describe('a breach of the specification is an error at the offending key or value: "Install script" and its parts', () =>
  testRules([
    ["a version 5 hook with userAction", hook5({ event: "userAction" }), ['error SCRIPT_VALUE_UNKNOWN "userAction"']],
  ]));

describe("docs/decisions.md, section 1", () =>
  testRules([
    [
      "an unknown role",
      hook({ conditions: [{ ...on("example"), role: "hidden" }] }),
      ['error SCRIPT_VALUE_UNKNOWN "hidden"'],
    ],
    [
      "a condition without role, or with an unknown one, is an error of its carrier, whatever its type",
      {
        hooks: [
          rawHook({ id: "a", conditions: [{ type: "appRunning", app: "plex" }] }),
          rawHook({ id: "b", conditions: [{ type: "moonPhase" }] }),
          rawHook({ id: "c", conditions: [{ role: "hidden", type: "moonPhase" }] }),
        ],
        ...widget({ conditions: [{ role: 1, type: "moonPhase" }] }),
      },
      [
        "error SCRIPT_FIELD_MISSING {",
        "error SCRIPT_FIELD_MISSING {",
        'warning CONDITION_TYPE_UNKNOWN "moonPhase"',
        'error SCRIPT_VALUE_UNKNOWN "hidden"',
        'warning CONDITION_TYPE_UNKNOWN "moonPhase"',
        "error SCRIPT_VALUE_UNKNOWN 1",
        'warning CONDITION_TYPE_UNKNOWN "moonPhase"',
      ],
    ],
    [
      "a version key of another dialect in an object of events is an error",
      {
        hooks: ["versionRange", "range", "fromVersionRange", "toVersionRange", "form"].map((key) =>
          rawHook({ id: key, events: [{ event: "onAfterUpgrade", [key]: "<2.0.0" }], rerun: undefined }),
        ),
      },
      [
        'error HOOK_RANGE_KEY "versionRange"',
        'error HOOK_RANGE_KEY "range"',
        'error HOOK_RANGE_KEY "fromVersionRange"',
        'error HOOK_RANGE_KEY "toVersionRange"',
        'warning SCRIPT_KEY_UNKNOWN "form"',
      ],
    ],
    [
      "an unknown entry of events is an info",
      hook({ events: ["userAction", "onMoonrise", { event: "onSunset" }] }),
      ['info HOOK_EVENT_FUTURE "onMoonrise"', 'info HOOK_EVENT_FUTURE "onSunset"'],
    ],
    [
      "an unknown condition type is a warning",
      hook({ conditions: [{ role: "visibility", type: "moonPhase", phase: "full" }] }),
      ['warning CONDITION_TYPE_UNKNOWN "moonPhase"'],
    ],
    [
      "triggers in a version 6 hook is an error",
      hook({ triggers: ["onAfterInstall"] }),
      ['error HOOK_TRIGGERS_KEY "triggers"'],
    ],
    ["events: [] drops the hook", hook({ events: [], rerun: undefined }), ["error HOOK_EVENTS_NONE ["]],
    [
      "events of which none is recognised drop the hook",
      hook({ events: ["onMoonrise"] }),
      ["error HOOK_EVENTS_NONE [", 'info HOOK_EVENT_FUTURE "onMoonrise"'],
    ],
  ]));
