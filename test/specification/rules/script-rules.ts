import { rulesOf } from "../fields/field-table.ts";
import { CUSTOM_METADATA, SCRIPT, SCRIPT_OBJECT } from "../fields/script-fields.ts";
import { addRules, type Section, testsOf } from "../rule.ts";

const script = testsOf("core/script/script-rules");
const questions = testsOf("core/plan/questions");
const macros = testsOf("core/macros/macros");
const update = testsOf("core/plan/update");
const lifecycle = testsOf("engine/lifecycle-rules");
const dialog = testsOf("engine/install/install-dialog");
const refusals = testsOf("engine/install/install-refusals");
const defaults = testsOf("specification/defaults");
const catalog = testsOf("specification/catalog");
const pairingRules = testsOf("engine/links/pairing-rules");
const ORDER =
  "an install > makes directories and shares, runs onBeforeInstall, creates, waits, runs onAfterInstall, then links";

export const SCRIPT_SECTIONS: readonly Section[] = [
  {
    title: "What the service does",
    rules: [
      [
        "1",
        "A script is one JSON object.",
        testsOf("core/script/rule-examples")(
          "every row of the rule table has examples that are true > SCRIPT_NOT_OBJECT is what its bad example has, and its good one has nothing",
        ),
      ],
      [
        "2",
        "An install checks the requirements first; unmet ones leave nothing behind.",
        refusals(
          "a request that can't be carried out > is rejected for a location that is not configured and leaves nothing",
        ),
      ],
      ["2", "An install creates the declared directories before it creates the app.", lifecycle(ORDER)],
      [
        "2",
        "The host gets the app's values with their macros resolved.",
        dialog(
          "install dialog > 4: a missing target brings its questions and consents, and installs with the user's choices",
        ),
      ],
      [
        "3",
        "Hooks run at the four points of install and upgrade.",
        testsOf("core/hooks/hook-selection")(
          "the hooks due at an event > at onAfterInstall are those that name it, in the order declared; none with consent at an upgrade",
        ),
      ],
      [
        "3",
        "In version 6 a person can start a hook from a surface.",
        testsOf("engine/methods/actions")("a pressed hook > runs as a task of its own"),
      ],
      [
        "4",
        "A widget shows what one script returned, kept for a while.",
        testsOf("engine/methods/widgets")("a widget > is queried once at a time, its result cached for refresh"),
      ],
      [
        "5",
        "The install dialog offers pairings, and their hooks run after the install as its child tasks.",
        dialog("pairing plan > 1, 2: links are child tasks of the install and run one at a time, in the order given"),
      ],
      [
        "6",
        "The pairings of an app can be read over HTTP.",
        testsOf("http/routes")(
          "GET /api/apps/{appId}/pairings > answers with the pairings and an ETag that answers 304 when sent back",
        ),
      ],
      [
        "7",
        "Activities show how tasks proceed and take the decisions they wait for.",
        testsOf("web/activity")(
          "activities > are decided in the list and in the task, and two tabs say the same of it",
        ),
      ],
    ],
  },
  {
    title: "Install script (top level)",
    rules: addRules(rulesOf(SCRIPT), [
      ["version", "Versions 1 to 3 are deprecated, and refused as such.", script("version 3")],
      [
        "custom",
        "A custom app is installed by the host's app for containers of one's own.",
        lifecycle(
          "an install > names the app by its id: from its train of the host's catalog, custom ones from ix-app in stable",
        ),
      ],
      [
        "internal",
        "In production an internal app is hidden.",
        pairingRules(
          "an internal app in production > is unknown to forms, previews, installs, upgrades, updates and actions",
        ),
      ],
      ["metadata", "A custom app must have metadata.", script("custom without metadata")],
      [
        "installation_questions",
        "The questions are asked when the app is installed.",
        questions(
          "an installonly question > is asked in install, custom install and reinstall, and hidden from the options dialog",
        ),
      ],
      ["ensure_directories_exists", "The directories are there before the app is created.", lifecycle(ORDER)],
      [
        "app_values",
        "The values reach the host with the keys and the structure the script gives them.",
        macros(
          "macros run over directories, app values, question defaults and options only > leaves keys alone and resolves nested values",
        ),
      ],
      [
        "hooks",
        "Versions 5 and 6 alone have hooks.",
        defaults("hooks of versions > 4 are not read, 5 are read by event, 6 by events"),
      ],
      [
        "widgetsSchema",
        "With another schema than 2 no widget is read.",
        testsOf("core/script/widget-rules")("a widgetsSchema other than 2 leaves the widgets unread"),
      ],
      [
        "widgets",
        "Version 6 alone has widgets.",
        defaults("hooks of versions > 5 have neither user actions nor widgets"),
      ],
      [
        "widgets",
        "Widgets need a schema of widgets.",
        testsOf("core/script/widget-rules")("widgets without widgetsSchema"),
      ],
    ]),
  },
  {
    title: "Script object",
    rules: addRules(rulesOf(SCRIPT_OBJECT), [
      [
        "updateCompatibility",
        "The range decides which installed versions may update to this one.",
        update(
          "updateCompatibility is decided by semver > script 2.0.0 with range >1.0.0 <1.5.0 and 1.5.0 installed: false",
        ),
      ],
      [
        "updateCompatibility",
        "An update the range does not admit is refused.",
        testsOf("engine/upgrade/update")(
          "an update > to a script whose updateCompatibility does not admit the installed one is rejected",
        ),
      ],
      [
        "changeLog",
        "The description of the changes is shown with the versions an update passes.",
        testsOf("surfaces/app-changelog")(
          "an app's detail > lists the versions of the script up to the newest, not the installed one, older ones or faulty ones",
        ),
      ],
    ]),
  },
  {
    title: "Custom app metadata (required when custom is true)",
    rules: [
      ...addRules(rulesOf(CUSTOM_METADATA), [
        [
          "icon",
          "An icon that is neither SVG nor PNG by its address is a warning.",
          testsOf("specification/icons")(
            "an icon's address of another picture type than SVG or PNG is a warning: https://example.com/icon.jpg",
          ),
        ],
      ]),
      [
        "text",
        "Custom apps are listed beside those of the host's catalog.",
        catalog("custom apps > are listed beside those of the host's catalog, by the name of their metadata"),
      ],
    ],
  },
];
