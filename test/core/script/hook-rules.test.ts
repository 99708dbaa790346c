/** What a hook may declare beside its events, conditions and inputs. */
import { describe } from "vitest";
import { hook, hook5, lifecycle, testRules } from "../../support/scripts/rule-rows.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

describe('specification, "Errors"', () =>
  testRules([
    ["both script and scriptContent", hook({ script: "h.ts" }), ['error SCRIPT_SOURCE_BOTH "scriptContent"']],
    ["neither script nor scriptContent", hook({ scriptContent: undefined }), ['error SCRIPT_SOURCE_NONE "h"']],
    [
      "rerun on a hook that is not user-triggerable",
      lifecycle({ rerun: "refuse" }),
      ['error HOOK_RERUN_UNUSED "rerun"'],
    ],
    ["rerun missing on one that is", hook({ rerun: undefined }), ['error HOOK_RERUN_MISSING "h"']],
    ["optional without a lifecycle event", hook({ optional: true }), ['error HOOK_OPTIONAL_UNUSED "optional"']],
    ["userOptional without an install event", hook({ userOptional: {} }), ['error HOOK_CONSENT_UNUSED "userOptional"']],
    [
      "target together with a lifecycle event",
      lifecycle({ target: { type: "files", accepts: [".mkv"] } }),
      ['error HOOK_TARGET_WITH_LIFECYCLE "target"'],
    ],
    [
      "duplicate hook id in one dictionary",
      { hooks: [rawHook({ id: "h" }), rawHook({ id: "h" })] },
      ['error HOOK_ID_DUPLICATE "h"'],
    ],
  ]));

describe('a breach of the specification is an error at the offending key or value: "Install script" and its parts', () =>
  testRules([
    ["a hook list that is no array", { hooks: {} }, ["error SCRIPT_FIELD_TYPE {"]],
    ["a hook that is no object", { hooks: ["h"] }, ['error SCRIPT_FIELD_TYPE "h"']],
    ["a hook without an id", hook({ id: undefined }), ["error SCRIPT_FIELD_MISSING {"]],
    ["a hook without an entrypoint", hook({ entrypoint: undefined }), ['error SCRIPT_FIELD_MISSING "h"']],
    [
      "9 required hooks",
      {
        hooks: [
          rawHook({ id: "h", requiresHooks: [..."123456789"] }),
          ...[..."123456789"].map((id) => rawHook({ id })),
        ],
      },
      ["error HOOK_REQUIRES_TOO_MANY ["],
    ],
    [
      "an extension without its dot",
      hook({ target: { type: "files", accepts: ["mkv"] } }),
      ['error SCRIPT_VALUE_FORM "mkv"'],
    ],
    [
      "an extension in upper case",
      hook({ target: { type: "files", accepts: [".MKV"] } }),
      ['error SCRIPT_VALUE_FORM ".MKV"'],
    ],
    [
      "a link that is no address",
      lifecycle({ userOptional: { link: { url: "example.com", label: "Terms" } } }),
      ['error SCRIPT_VALUE_FORM "example.com"'],
    ],
    ["a version 5 hook without a consent label", hook5({ userOptional: {} }), ["error SCRIPT_FIELD_MISSING {"]],
  ]));

describe("docs/decisions.md, section 1", () =>
  testRules([
    [
      "a missing key is reported at the id of its object, else at its brace",
      { ...hook({ entrypoint: undefined }), ensure_directories_exists: [{}] },
      ['error SCRIPT_FIELD_MISSING "h"', "error SCRIPT_FIELD_MISSING {"],
    ],
    [
      "a value outside a closed set is an error of its carrier",
      hook({ kind: "conect" }),
      ['error SCRIPT_VALUE_UNKNOWN "conect"'],
    ],
    [
      "accepts: [] is an error of the hook",
      hook({ target: { type: "files", accepts: [] } }),
      ["error SCRIPT_VALUE_RANGE ["],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: an unknown id",
      hook({ requiresHooks: ["x"] }),
      ['error HOOK_REQUIRES_UNKNOWN "x"'],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: its own id",
      hook({ requiresHooks: ["h"] }),
      ['error HOOK_REQUIRES_UNKNOWN "h"'],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: a dropped id",
      { hooks: [rawHook({ id: "a", requiresHooks: ["b"] }), rawHook({ id: "b", rerun: "never" })] },
      ['error HOOK_REQUIRES_UNKNOWN "b"', 'error SCRIPT_VALUE_UNKNOWN "never"'],
    ],
    [
      "a faulty requiresHooks is an error of the hook that names it: a cycle",
      {
        hooks: [
          rawHook({ id: "a", requiresHooks: ["b"] }),
          rawHook({ id: "b", requiresHooks: ["a"] }),
          rawHook({ id: "c" }),
        ],
      },
      ['error HOOK_REQUIRES_CYCLE "b"', 'error HOOK_REQUIRES_CYCLE "a"'],
    ],
    ["surfaces: []", hook({ surfaces: [] }), []],
    [
      "duplicate events and surfaces are warnings",
      hook({ events: ["userAction", "userAction"], surfaces: ["card", "card"] }),
      ['warning HOOK_EVENTS_DUPLICATE "userAction"', 'warning HOOK_SURFACES_DUPLICATE "card"'],
    ],
    ["a hook timeout above 6 h is clamped", hook({ timeout: 21601 }), ["warning HOOK_TIMEOUT_CLAMPED 21601"]],
  ]));
