import { rulesOf } from "../fields/field-table.ts";
import {
  APP_INSTALLED,
  APP_RUNNING,
  APP_VERSION,
  CAPABILITY,
  CONDITION,
  CONSENT,
  EVENT_ENTRY,
  HOOK_5_CONSENT,
  PREDICATE,
  PREDICATE_ENTRYPOINT,
  TARGET,
} from "../fields/hook-fields.ts";
import { addRules, renameRows, type Section, testsOf } from "../rule.ts";

const selection = testsOf("core/hooks/hook-selection");
const conditions = testsOf("core/hooks/conditions");
const actions = testsOf("core/hooks/actions");
const surfaces = testsOf("core/hooks/surfaces");
const defaults = testsOf("specification/defaults");
const events = testsOf("engine/hooks/hook-events");
const upgrade = testsOf("engine/upgrade/upgrade");
const files = testsOf("surfaces/files");
const DUE =
  "the hooks due at an event > at onAfterUpgrade are those that name it, in the order declared; none with consent at an upgrade";

export const OFFER_SECTIONS: readonly Section[] = [
  {
    title: "Hook events (version 6)",
    rules: [
      [
        "userAction",
        "The event fires when a person starts the hook, and never at a lifecycle.",
        events("hook events > userAction: when a person presses it, and at no lifecycle"),
      ],
      [
        "onBeforeInstall",
        "The event fires before app.create is called.",
        events(
          "hook events > onBeforeInstall: before app.create is called; onAfterInstall: after it completes successfully",
        ),
      ],
      [
        "onAfterInstall",
        "The event fires once app.create succeeded, and not if it failed.",
        events("hook events > a failed app.create fires no onAfterInstall"),
      ],
      [
        "onBeforeUpgrade",
        "The event fires before app.upgrade is called.",
        events(
          "hook events > onBeforeUpgrade: before app.upgrade is called; onAfterUpgrade: after it completes successfully",
        ),
      ],
      [
        "onAfterUpgrade",
        "The event fires once app.upgrade succeeded, and not if it failed.",
        events("hook events > a failed app.upgrade fires no onAfterUpgrade"),
      ],
      ...renameRows(rulesOf(EVENT_ENTRY), "text"),
      [
        "text",
        "The versions departed and installed decide whether an upgrade fires the hook.",
        upgrade("an upgrade > chooses its hooks by both versions and never runs those with consent"),
      ],
    ],
  },
  {
    title: "Condition (version 6 hooks and widgets)",
    rules: [
      ...renameRows(rulesOf(CONDITION), "text"),
      ["text", "A failed condition of visibility hides the hook.", actions("a failed visibility hides")],
      [
        "text",
        "A failed condition of availability shows the hook disabled, with a reason.",
        actions("a failed availability disables with a reason"),
      ],
      ["text", "A hidden hook is not available.", conditions("hidden implies unavailable")],
      [
        "appInstalled",
        "The condition passes if the app is installed.",
        conditions("appInstalled: the app is installed"),
      ],
      [
        "appInstalled",
        "The condition fails if the app is not installed.",
        conditions("appInstalled: the app is not installed"),
      ],
      ...renameRows(rulesOf(APP_INSTALLED), "appInstalled"),
      [
        "appRunning",
        "The condition passes if the app is installed and runs.",
        conditions("appRunning: the app is installed and running"),
      ],
      [
        "appRunning",
        "The condition fails if the app is stopped.",
        conditions("appRunning: the app is installed and stopped"),
      ],
      ...renameRows(rulesOf(APP_RUNNING), "appRunning"),
      ...renameRows(rulesOf(APP_VERSION), "appVersion"),
      ["appVersion", "The condition never passes yet.", conditions("appVersion never passes")],
      ...renameRows(rulesOf(CAPABILITY), "capabilityPresent"),
      ["capabilityPresent", "The condition never passes yet.", conditions("capabilityPresent never passes")],
      ...renameRows([...rulesOf(PREDICATE), ...rulesOf(PREDICATE_ENTRYPOINT)], "script"),
      ["script", "The condition never passes yet.", conditions("script never passes")],
      ["text", "An app is named by its catalog id, exactly.", conditions("app ids are compared exactly")],
      ["text", "A condition of an unknown type counts as false.", conditions("an unrecognized type counts as false")],
      ["text", "All conditions must pass.", conditions("all predicates must pass")],
    ],
  },
  {
    title: "Target (version 6 hooks)",
    rules: [
      ...addRules(rulesOf(TARGET), [
        [
          "accepts",
          "A hook is offered if every selected file has an accepted extension.",
          actions("accepts: every selected file matches, whatever its case"),
        ],
        [
          "accepts",
          "One file of another extension hides the hook.",
          actions("accepts: one selected file does not match"),
        ],
        ["maxFiles", "More files than the limit disable the hook.", actions("maxFiles: more files than allowed")],
        [
          "maxFiles",
          "Without a limit any number of files is taken.",
          defaults("by default > a target takes any number of files and requires that the app can reach them"),
        ],
        [
          "requiresTargetMount",
          "By default the app must be able to reach the files.",
          defaults("by default > a target takes any number of files and requires that the app can reach them"),
        ],
        [
          "requiresTargetMount",
          "A file the app can't reach disables the hook.",
          actions("requiresTargetMount: a file the app cannot reach"),
        ],
        [
          "requiresTargetMount",
          "The script gets the path of each file inside the container.",
          testsOf("engine/hooks/hook-context")(
            "a hook's context > has the selected files with path, containerPath, name and extension",
          ),
        ],
        [
          "requiresTargetMount",
          "A hook that delivers its files itself takes files the app can't reach.",
          actions("requiresTargetMount false: the hook delivers the file itself"),
        ],
      ]),
      ["text", "A hook with a target is on the file browser and not on the card.", surfaces("Has a target")],
      [
        "text",
        "The file browser offers what apps can do with a selection.",
        files("GET files/actions > the file browser lists what the installed apps can do with all of a selection"),
      ],
    ],
  },
  {
    title: "Surfaces",
    rules: [
      [
        "text",
        "A surface is installPicker, card, fileBrowser or widget.",
        testsOf("specification/fields")("a version 6 hook > surfaces"),
      ],
      ["1", "A hook with a target is on the file browser.", surfaces("Has a target")],
      [
        "2",
        "A hook with a condition on another app is on installPicker, card and widget.",
        surfaces("Conditions reference another app"),
      ],
      ["3", "Any other hook a person can start is on card and widget.", surfaces("Any other user-triggerable hook")],
      [
        "text",
        "Surfaces that are declared replace those derived.",
        surfaces("A present surfaces replaces the derived list"),
      ],
      [
        "text",
        "A hook without a user action is on no surface.",
        surfaces("A hook without a userAction event appears on no surface"),
      ],
    ],
  },
  {
    title: "userOptional",
    rules: [
      ...addRules(
        [...rulesOf(HOOK_5_CONSENT), ...rulesOf(CONSENT)],
        [
          [
            "label",
            "In version 6 the title of the hook is the label.",
            defaults(
              "the words of a consent > in version 6 are the hook's title, and the hook's description unless it has its own",
            ),
          ],
          [
            "description",
            "In version 6 the hook's description takes the place of a missing one.",
            defaults(
              "the words of a consent > in version 6 are the hook's title, and the hook's description unless it has its own",
            ),
          ],
          [
            "default",
            "A consent is on unless it says otherwise.",
            defaults("by default > a consent of version 6 is on"),
          ],
          [
            "link",
            "The link stands beside the consent and opens in another tab.",
            testsOf("web/dialog/terms-seen")(
              "beside the closed panel of an app with pairings, and is not asked again in it",
            ),
          ],
        ],
      ),
      ["text", "An upgrade runs no hook that asks for consent.", selection(DUE)],
    ],
  },
];
