import { rulesOf } from "../fields/field-table.ts";
import { HOOK_5, HOOK_5_FILE, HOOK_6, HOOK_6_FILE, HOOK_6_LIFECYCLE } from "../fields/hook-fields.ts";
import { addRules, orderRules, type Section, testsOf } from "../rule.ts";

const hook = testsOf("core/script/hook-rules");
const event = testsOf("core/script/event-rules");
const selection = testsOf("core/hooks/hook-selection");
const reruns = testsOf("core/hooks/reruns");
const defaults = testsOf("specification/defaults");
const runs = testsOf("engine/hooks/hooks");
const tasks = testsOf("engine/task-rules");
const toggles = testsOf("engine/methods/form-toggles");
const inputs = testsOf("engine/methods/inputs");
const RANGES =
  "the hooks due at an event > of an upgrade match the range departed (>=1.5) and the range installed (undefined): false";
const DEFAULTS_5 = "by default > a hook of version 5 runs for 300 seconds, is not retried, and is required";
const DEFAULTS_6 = "by default > a hook of version 6 runs for 300 seconds, is not retried, and is required";
const FIELDS_5 = orderRules(
  [
    ...rulesOf(HOOK_5),
    ...rulesOf(HOOK_5_FILE),
    [
      "userOptional",
      "A consent is an object with a label.",
      testsOf("specification/fields")("the consent of a version 5 hook > label"),
    ],
  ],
  "id event script scriptContent entrypoint timeout description optional retries condition inputs userOptional",
);
const FIELDS_6 = orderRules(
  [...rulesOf(HOOK_6), ...rulesOf(HOOK_6_FILE), ...rulesOf(HOOK_6_LIFECYCLE)],
  "id title description kind events optional userOptional conditions surfaces inputs requiresHooks target rerun script scriptContent entrypoint timeout retries",
);

export const HOOK_SECTIONS: readonly Section[] = [
  {
    title: "Hook declaration, version 5",
    rules: [
      ...addRules(FIELDS_5, [
        ["id", "No two hooks of a script have one id.", hook("duplicate hook id in one dictionary")],
        ["event", "A version 5 hook has no user action.", event("a version 5 hook with userAction")],
        [
          "entrypoint",
          "The function must be one the script exports.",
          testsOf("sandbox/compile")("a script is refused > without its entrypoint, with what it exports instead"),
        ],
        ["timeout", "Without a timeout a hook runs for 300 seconds.", defaults(DEFAULTS_5)],
        [
          "description",
          "The activity center shows the description as the hook's label.",
          tasks("what a hook is called > in version 5 is its description, else its id"),
        ],
        [
          "optional",
          "If an optional hook fails, the install goes on.",
          runs("a hook that fails > is skipped when it is optional"),
        ],
        [
          "retries",
          "A failed hook is tried again as often as it says.",
          runs("a hook that fails > is tried again as often as it declares"),
        ],
        ["retries", "Without retries a hook is tried once.", defaults(DEFAULTS_5)],
        ["condition", "At an upgrade a hook fires if every range it gives matches.", selection(RANGES)],
      ]),
      [
        "text",
        "A hook has a script file or inline code, not both.",
        testsOf("specification/defaults")("an invalid part > drops a hook with both script and scriptContent alone"),
      ],
    ],
  },
  {
    title: "Hook declaration, version 6",
    rules: [
      ...addRules(FIELDS_6, [
        ["id", "No two hooks of a dictionary have one id.", hook("duplicate hook id in one dictionary")],
        [
          "title",
          "The title is the label of the hook's button, picker row and consent.",
          testsOf("engine/methods/names")(
            'the names of the specification > the row of a missing target is "Install and Connect to {target}", in the dialog and in the plan',
          ),
        ],
        [
          "title",
          "The title is the label of the hook's consent.",
          defaults(
            "the words of a consent > in version 6 are the hook's title, and the hook's description unless it has its own",
          ),
        ],
        [
          "description",
          "While a hook runs it is called by its description, else by its title.",
          tasks("what a hook is called > in version 6 is its description while it runs, else its title"),
        ],
        [
          "kind",
          "The kind changes nothing a hook does.",
          defaults(
            "fields that only describe > kind changes neither when a hook fires, where it appears, nor what it links",
          ),
        ],
        [
          "events",
          "Without events a hook is a user action.",
          defaults("by default > a hook of version 6 without events is a user action"),
        ],
        [
          "optional",
          "An optional hook is skipped if it fails at a lifecycle event.",
          runs("a hook that fails > is skipped when it is optional"),
        ],
        [
          "optional",
          "An optional hook is skipped if its inputs come too late.",
          runs("a hook with inputs > is skipped when its inputs are late, where it is optional and of version 6"),
        ],
        [
          "optional",
          "A pressed hook that fails waits for a person, optional or not.",
          testsOf("engine/methods/actions")(
            "a pressed hook > that fails waits for a person: optional skips lifecycle firings only",
          ),
        ],
        [
          "userOptional",
          "A hook whose consent is off does not run.",
          testsOf("engine/lifecycle-rules")(
            "an install > runs no optional hook whose consent is off, and leaves no task of it",
          ),
        ],
        ["requiresHooks", "A hook requires 8 others at most.", hook("9 required hooks")],
        [
          "requiresHooks",
          "A hook requires hooks of its own app alone.",
          hook("a faulty requiresHooks is an error of the hook that names it: an unknown id"),
        ],
        [
          "requiresHooks",
          "The row of a hook is closed while the consent of one it requires is off.",
          toggles(
            "requiresHooks gates every row of the install dialog > a consent says which consents it requires, and whether they are on",
          ),
        ],
        [
          "requiresHooks",
          "What a required hook was told is not asked again.",
          inputs(
            "inputs a required hook has collected > are handed over by question key, so that nobody is asked twice",
          ),
        ],
        ["rerun", "A hook a person can start must say what a second run does.", hook("rerun missing on one that is")],
        ["rerun", "A hook no person can start must not.", hook("rerun on a hook that is not user-triggerable")],
        ["timeout", "Without a timeout a hook runs for 300 seconds.", defaults(DEFAULTS_6)],
        ["timeout", "A hook ends at its timeout.", runs("a hook that fails > ends at its timeout")],
        ["retries", "Without retries a hook is tried once.", defaults(DEFAULTS_6)],
      ]),
      [
        "text",
        "A hook has a script file or inline code, one of them.",
        defaults("an invalid part > drops a hook with no source alone"),
      ],
      [
        "Field requirements optional",
        "An optional hook has a lifecycle event.",
        hook("optional without a lifecycle event"),
      ],
      [
        "Field requirements userOptional",
        "A hook with a consent has an install event.",
        hook("userOptional without an install event"),
      ],
      [
        "Field requirements target",
        "A hook with a target has no lifecycle event.",
        hook("target together with a lifecycle event"),
      ],
      [
        "Field requirements rerun",
        "A rerun goes with a user action, and a user action with a rerun.",
        hook("rerun missing on one that is"),
      ],
      [
        "Rerun semantics 1",
        "With refuse a completed run of the same app, hook and target blocks another.",
        reruns("rerun > refuse with an earlier COMPLETED run blocks: true"),
      ],
      [
        "Rerun semantics 2",
        "With idempotent a run is never blocked.",
        reruns("rerun > idempotent with an earlier COMPLETED run blocks: false"),
      ],
      [
        "Rerun semantics 2",
        "With converge a run is never blocked.",
        reruns("rerun > converge with an earlier COMPLETED run blocks: false"),
      ],
      [
        "Rerun semantics 3",
        "A failed run blocks nothing.",
        reruns("rerun > refuse with an earlier FAILED run blocks: false"),
      ],
      [
        "Rerun semantics 3",
        "A dismissed run blocks nothing.",
        reruns("rerun > refuse with an earlier DISMISSED run blocks: false"),
      ],
    ],
  },
];
