import { rulesOf } from "../fields/field-table.ts";
import { DIRECTORY, QUESTION } from "../fields/script-fields.ts";
import { addRules, type Section, testsOf } from "../rule.ts";

const questionRules = testsOf("core/script/question-rules");
const questions = testsOf("core/plan/questions");
const check = testsOf("core/macros/macros-check");
const plan = testsOf("core/plan/plan");
const lifecycle = testsOf("engine/lifecycle-rules");
const upgrade = testsOf("engine/upgrade/upgrade");
const directories = testsOf("engine/install/install-directories");
const owners = testsOf("specification/owners");
const defaults = testsOf("specification/defaults");

export const INSTALL_SECTIONS: readonly Section[] = [
  {
    title: "Installation question",
    rules: [
      ...addRules(rulesOf(QUESTION), [
        ["key", "No two questions have one key.", questionRules("two questions with one key")],
        [
          "key",
          "A $QUESTION() names a key that some question has.",
          check(
            "checkMacros points at the macro inside its string > a $QUESTION that no question declares is an error > a $QUESTION(missing) is MACRO_QUESTION_UNDECLARED (error)",
          ),
        ],
        ["options", "A select question must have choices.", questionRules("select without options")],
        [
          "required",
          "By default a question need not be answered.",
          defaults("by default > a question is not required and not for the install only"),
        ],
        [
          "default",
          "A macro in a default is resolved and offered as the answer.",
          questions("defaults > a default that is a macro is generated once and is that answer everywhere"),
        ],
        [
          "default",
          "A password with such a default offers a generated value.",
          testsOf("web/dialog/install")(
            "the install dialog in a browser > installs by the dialog alone: steps, a refused answer, a closed gate, a missing target",
          ),
        ],
        [
          "installonly",
          "Install, custom install and reinstall ask such a question; the options dialog does not.",
          questions(
            "an installonly question > is asked in install, custom install and reinstall, and hidden from the options dialog",
          ),
        ],
        [
          "installonly",
          "A script that does not keep such an answer in its values is warned.",
          check(
            "checkMacros beyond one string > an installonly question that stands nowhere in app_values as a whole string is a warning",
          ),
        ],
        [
          "installonly",
          "An update recovers such an answer from the values.",
          questions("an installonly question > is recovered from the live configuration in the options dialog"),
        ],
      ]),
      [
        "Grouping 1",
        "The first slash with a space on each side splits a group, and no other.",
        questions("grouping rules > 1: only a slash with a space on each side splits, and only the first"),
      ],
      [
        "Grouping 2",
        "Equal steps are one step, equal groups one section.",
        questions("grouping rules > 2: the same step text shares a step, the same full value shares a section"),
      ],
      [
        "Grouping 3",
        "Steps and sections stand in the order of their first questions.",
        questions("grouping rules > 3: steps and sections stand in the order of their first question"),
      ],
      [
        "Grouping 4",
        'A step that has sections shows its plain questions as "General".',
        questions("grouping rules > 4: a plain step value beside sections appears in the rail as General"),
      ],
      [
        "Grouping 5",
        "A step with one section has no rail.",
        questions("grouping rules > 5: a step with a single section shows no rail"),
      ],
      [
        "Grouping 6",
        "Questions without groups are on one screen.",
        questions("grouping rules > 6: without group all questions stand on one screen"),
      ],
      [
        "Grouping 7",
        "A group changes nothing but where a question stands.",
        questions("grouping rules > 7: grouping has no effect on the payload"),
      ],
      [
        "Grouping 8",
        "The custom install is one screen whatever the groups.",
        questions("grouping rules > 8: the custom dialog shows every question on one screen"),
      ],
      [
        "Grouping 8",
        "The options dialog is one screen whatever the groups.",
        questions("grouping rules > 8: the options dialog shows every question on one screen"),
      ],
    ],
  },
  {
    title: "Directory entry (ensure_directories_exists)",
    rules: [
      ...addRules(rulesOf(DIRECTORY), [
        [
          "path",
          "Macros in a path are resolved.",
          plan("directories > are normalised, with their location, share, owner and snapshot"),
        ],
        [
          "network_share",
          "A share of the directory is made and served.",
          directories(
            "an install's directories > that are shared have the shares served, now and after a restart, also if a share is kept",
          ),
        ],
        [
          "owner",
          "Without a group the user's own group counts.",
          owners("an owner's names > become the ids the host has for them, and without a group the user's own"),
        ],
      ]),
      [
        "Owner rules 1",
        "The host tells the ids of a user, and of a group that is named.",
        owners("an owner's names > become the ids the host has for them, and without a group the user's own"),
      ],
      [
        "Owner rules 2",
        "After app.update the owner of declared paths is checked, and repaired if it changed.",
        lifecycle("an update > snapshots first and repairs ownership last, like an upgrade"),
      ],
      [
        "Owner rules 3",
        "A repair takes a snapshot, sets the ACL mode to PASSTHROUGH, and gives the path its owner.",
        upgrade("an upgrade > repairs ownership the host changed, after a snapshot"),
      ],
      [
        "Owner rules 3",
        "The snapshot is taken before the owner is set.",
        lifecycle("an update > snapshots first and repairs ownership last, like an upgrade"),
      ],
      [
        "Owner rules 3",
        "A repaired path has the owner and the ACL an install gives it.",
        owners(
          "an update of an app whose directories others took > gives an owned one the owner and the ACL it had from the install",
        ),
      ],
      [
        "Owner rules 4",
        "The root of a location is never changed.",
        lifecycle(
          "owners > of a location's root: it is shared and snapshotted where it says so, never created, owned or repaired",
        ),
      ],
      [
        "Owner rules 5",
        "A path without an owner is not repaired.",
        owners("an update of an app whose directories others took > leaves one without an owner alone"),
      ],
      [
        "Snapshot rules 1",
        "A dataset with a snapshot entry is snapshotted before an app is changed.",
        lifecycle(
          "an upgrade > takes snapshots, runs onBeforeUpgrade, upgrades, repairs ownership, then runs onAfterUpgrade",
        ),
      ],
      [
        "Snapshot rules 1",
        "An update of the app takes its snapshots first too.",
        lifecycle("an update > snapshots first and repairs ownership last, like an upgrade"),
      ],
      [
        "Snapshot rules 2",
        "The name of a snapshot holds the app's id, the entry's id and the time.",
        upgrade("an upgrade > takes snapshots named by app, id and UTC time, upgrades, waits and completes"),
      ],
      [
        "Snapshot rules 3",
        "A snapshot carries its purpose, app, id and path.",
        upgrade("an upgrade > takes snapshots named by app, id and UTC time, upgrades, waits and completes"),
      ],
    ],
  },
];
