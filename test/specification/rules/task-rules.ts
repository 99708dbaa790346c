import { type Section, testsOf } from "../rule.ts";

const hooks = testsOf("engine/hooks/hooks");
const runs = testsOf("specification/hook-runs");
const card = testsOf("surfaces/app-card");
const page = testsOf("web/apps/app-page");
const lifecycle = testsOf("engine/lifecycle-rules");
const events = testsOf("engine/hooks/hook-events");
const upgrade = testsOf("engine/upgrade/upgrade");
const dialog = testsOf("engine/install/install-dialog");
const names = testsOf("engine/methods/names");
const links = testsOf("engine/links/links");
const pairing = testsOf("engine/links/pairing-rules");

const ORDER =
  "an install > makes directories and shares, runs onBeforeInstall, creates, waits, runs onAfterInstall, then links";
const LINKS = "pairing plan > 1, 2: links are child tasks of the install and run one at a time, in the order given";

export const TASK_SECTIONS: readonly Section[] = [
  {
    title: "States and transitions",
    rules: [
      [
        "text",
        "A task is AWAITING_INPUT while its input dialog is open.",
        hooks("a hook with inputs > asks for what is missing, with the declaration"),
      ],
      [
        "text",
        "A task is AWAITING_RETRY while Retry and Skip are offered.",
        hooks("a hook that fails > waits for a person when it is required, with its message and context"),
      ],
      [
        "text",
        "A checkpoint is registered first.",
        runs("checkpoints > that are registered are all shown at once, none of them done"),
      ],
      [
        "1",
        "A running hook that needs values waits for them and shows its dialog.",
        hooks("a hook with inputs > asks for what is missing, with the declaration"),
      ],
      [
        "1",
        "A person who looks at the task gets the dialog.",
        testsOf("web/dialog/change")("open by themselves for what a task begins to ask a person who looks at it, once"),
      ],
      [
        "2",
        "A required hook that failed after its retries waits for Retry or Skip.",
        hooks("a hook that fails > waits for a person when it is required, with its message and context"),
      ],
      [
        "2",
        "The activity center offers Retry and Skip.",
        testsOf("web/activity")(
          "activities > are decided in the list and in the task, and two tabs say the same of it",
        ),
      ],
      [
        "3",
        "An optional hook that failed after its retries is skipped, and the install goes on.",
        runs("an optional hook > is skipped only once its retries are used up, and the install goes on"),
      ],
      [
        "4",
        "An optional version 6 hook whose inputs come too late is skipped.",
        hooks("a hook with inputs > is skipped when its inputs are late, where it is optional and of version 6"),
      ],
      [
        "5",
        "Retry runs the hook from its beginning.",
        runs("Retry > runs a hook that failed once more, from its beginning"),
      ],
      [
        "5",
        "Retry goes on at the failed checkpoint if the script waits there.",
        hooks("a checkpoint that fails and waits > goes on from the checkpoint on Retry"),
      ],
      [
        "6",
        "Skip ends the hook, and the install can complete.",
        hooks("a hook that fails > frees the install on Skip"),
      ],
      [
        "7",
        "An emitted checkpoint is completed, with message and progress if given.",
        runs("checkpoints > are completed by an emit, which may change the message and set the progress"),
      ],
      [
        "8",
        "A skipped checkpoint is skipped, with a message if given.",
        runs("checkpoints > take another message without being completed, and may be skipped with one"),
      ],
      [
        "9",
        "A script that waits at a failed checkpoint is told retry.",
        hooks("a checkpoint that fails and waits > goes on from the checkpoint on Retry"),
      ],
      [
        "9",
        "A script that waits at a failed checkpoint is told skip.",
        hooks("a checkpoint that fails and waits > goes on without the checkpoint on Skip"),
      ],
      [
        "10",
        "A target is connected if the last run of the hook succeeded.",
        card(
          "app card > 1: a target is connected once the hook's last run completed, until a run fails or an app is installed anew",
        ),
      ],
      [
        "11",
        "A target is installed if it is there and the hook did not run, or failed.",
        card("app card > 1: the panel lists every target, in both directions, as installed or not installed"),
      ],
      [
        "12",
        "A target is not installed if it is absent.",
        card("app card > 1: the panel lists every target, in both directions, as installed or not installed"),
      ],
      [
        "12",
        "Its row has a button that installs it.",
        page(
          "an app's page > shows what is not installed: what it needs, what it links with, and the way to install either",
        ),
      ],
    ],
  },
  {
    title: "Execution flow",
    rules: [
      [
        "1",
        "A person confirms an install together with the hooks that ask for consent.",
        testsOf("web/dialog/terms-seen")(
          "beside the closed panel of an app with pairings, and is not asked again in it",
        ),
      ],
      ["2", "Hooks before the install run first and hold up the app's creation.", lifecycle(ORDER)],
      [
        "2",
        "Hooks of one event run one after another.",
        runs("hooks of one event > run one after another: the next one begins once the one before has ended"),
      ],
      [
        "3",
        "Then the host creates the app.",
        events(
          "hook events > onBeforeInstall: before app.create is called; onAfterInstall: after it completes successfully",
        ),
      ],
      [
        "4",
        "Hooks after the install hold up the end of the task.",
        hooks("a hook that fails > waits for a person when it is required, with its message and context"),
      ],
      [
        "5",
        "The install completes once its required hooks have ended.",
        hooks("a hook that fails > frees the install on Skip"),
      ],
      [
        "text",
        "An upgrade runs its hooks before and after in the same way.",
        lifecycle(
          "an upgrade > takes snapshots, runs onBeforeUpgrade, upgrades, repairs ownership, then runs onAfterUpgrade",
        ),
      ],
      [
        "text",
        "An upgrade runs the hooks whose versions match, and none that asks for consent.",
        upgrade("an upgrade > chooses its hooks by both versions and never runs those with consent"),
      ],
    ],
  },
  {
    title: "Pairing plan",
    rules: [
      ["1", "Links are child tasks of the install.", dialog(LINKS)],
      [
        "1",
        'Links stand in the group "App customizations".',
        names(
          'the names of the specification > links and the installs they need stand in the group "App customizations"',
        ),
      ],
      ["2", "One link runs at a time.", dialog(LINKS)],
      [
        "3",
        "A link waits about three minutes for its apps to run.",
        pairing("the links of an install > wait three minutes for their apps to run"),
      ],
      [
        "3",
        "An app that comes up in that time is linked.",
        testsOf("engine/hooks/conditions-gate")(
          "a link waits for every app its conditions name, also for one that was not selected",
        ),
      ],
      [
        "3",
        "Then the link is given up.",
        links(
          "an install with links > gives up a link whose target does not come up in time, and names the app that did not run",
        ),
      ],
      [
        "4",
        "A link that fails keeps the failure to itself: the next ones run, the install completes.",
        links("an install with links > stays COMPLETED when a link fails: the link is FAILED, the next ones run"),
      ],
      [
        "5",
        "The install of a missing target is called Install and Connect to its name.",
        names(
          'the names of the specification > the row of a missing target is "Install and Connect to {target}", in the dialog and in the plan',
        ),
      ],
      [
        "6",
        "Missing targets are installed first, then the links run in the order given.",
        pairing("the links of an install > come after the installs of missing targets, in the order given"),
      ],
    ],
  },
];
