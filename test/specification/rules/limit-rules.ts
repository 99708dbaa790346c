import { type Section, testsOf } from "../rule.ts";

const hook = testsOf("core/script/hook-rules");
const widget = testsOf("core/script/widget-rules");
const defaults = testsOf("specification/defaults");
const catalog = testsOf("specification/catalog");
const pairings = testsOf("core/hooks/pairings");
const links = testsOf("core/hooks/install-links");
const surface = testsOf("sandbox/surface/surface-context");
const update = testsOf("core/plan/update");
const script = testsOf("core/script/script-rules");
const TOLERANT =
  "the pairings of a catalog > are none, without an error, of a file that is no JSON, has no hooks, an old version or an invalid hook";
const HOOK_DEFAULTS = "by default > a hook of version 6 runs for 300 seconds, is not retried, and is required";
const WIDGET_DEFAULTS = "by default > a widget is refreshed every 300 seconds, and its query is abandoned after 10";

export const LIMIT_SECTIONS: readonly Section[] = [
  {
    title: "Limits",
    rules: [
      ["1", "A hook has 300 seconds by default.", defaults(HOOK_DEFAULTS)],
      ["2", "A hook has no retries by default.", defaults(HOOK_DEFAULTS)],
      [
        "3",
        "waitForApp asks 40 times at growing pauses by default.",
        surface(
          "waitForApp > waitForApp asks 40 times at most, 5 s each, after pauses from 5 s on that grow by half to 15 s",
        ),
      ],
      ["4", "The query of a widget has 10 seconds by default.", defaults(WIDGET_DEFAULTS)],
      ["5", "A widget is refreshed every 300 seconds by default.", defaults(WIDGET_DEFAULTS)],
      [
        "5",
        "A widget is refreshed every 10 seconds at most.",
        widget("a widget timeout above 60 s and a refresh below 10 s are clamped"),
      ],
      ["6", "A widget has 4 buttons at most.", widget("more than 4 buttons")],
      ["6", "The buttons of a widget differ.", widget("duplicate widget button ids")],
      [
        "7",
        "A small tile has 1 to 3 slots, a large one 1 to 4.",
        testsOf("specification/widget-limits")("a tile has no other number of slots than its size takes"),
      ],
      ["8", "A hook requires 8 hooks at most.", hook("9 required hooks")],
      ["9", "An install has 6 links at most.", links("more than 6 links, and no more is said")],
      ["10", "A link has 6 targets at most.", links("more than 6 targets")],
      [
        "11",
        "A link waits about 3 minutes for its apps.",
        testsOf("engine/links/pairing-rules")("the links of an install > wait three minutes for their apps to run"),
      ],
      ["12", "A consent is on by default.", defaults("by default > a consent of version 6 is on")],
      [
        "13",
        "A question need not be answered by default.",
        defaults("by default > a question is not required and not for the install only"),
      ],
      [
        "14",
        "Ids of widgets have lowercase letters, digits, - and _ alone.",
        testsOf("specification/fields")("a widget > id"),
      ],
    ],
  },
  {
    title: "Versioning",
    rules: [
      ["1", "A script's version is 4, 5 or 6.", testsOf("specification/fields")("the script > version")],
      ["1", "Versions 1 to 3 are refused as deprecated.", script("version 3")],
      [
        "2",
        "Version 4 has no hooks, version 5 hooks of one event, version 6 hooks of events.",
        defaults("hooks of versions > 4 are not read, 5 are read by event, 6 by events"),
      ],
      [
        "2",
        "Version 5 has neither user actions nor widgets.",
        defaults("hooks of versions > 5 have neither user actions nor widgets"),
      ],
      [
        "3",
        "A version 5 script is read like one of version 6.",
        testsOf("core/script/parse-dictionary")("reads a script of every version into one normal form"),
      ],
      ["3", "A version 5 script yields no pairings.", pairings("directions > derives none from a version 5 script")],
      [
        "4",
        "With another schema of widgets than 2 no widget is read.",
        widget("a widgetsSchema other than 2 leaves the widgets unread"),
      ],
      [
        "5",
        "The range of a script decides which versions may update to it.",
        update("updateCompatibility is decided by semver > script 2.0.0 with range >=1.0.0 and 1.5.0 installed: true"),
      ],
      [
        "6",
        "The newest dictionary of an app counts, and a sync brings new pairings.",
        catalog(
          "the pairings of a catalog > follow the newest file of an app, and a file that is new once the catalog is synced",
        ),
      ],
      ["6", "A deprecated app has no pairings.", catalog("the pairings of a catalog > come from no deprecated app")],
      ["7", "A dictionary of an unsupported version yields no pairings.", catalog(TOLERANT)],
    ],
  },
];
