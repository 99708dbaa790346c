import { type Section, testsOf } from "../rule.ts";

const hook = testsOf("core/script/hook-rules");
const event = testsOf("core/script/event-rules");
const defaults = testsOf("specification/defaults");
const events = testsOf("engine/hooks/hook-events");
const catalog = testsOf("specification/catalog");
const dropped = testsOf("core/script/dropped-carriers");
const parts = testsOf("letter/4-dropped-hooks");
const drops = (fault: string) => defaults(`an invalid part > drops a hook with ${fault} alone`);
const BEFORE_INSTALL =
  "hook events > onBeforeInstall: before app.create is called; onAfterInstall: after it completes successfully";
const BEFORE_UPGRADE =
  "hook events > onBeforeUpgrade: before app.upgrade is called; onAfterUpgrade: after it completes successfully";
const TOLERANT =
  "the pairings of a catalog > are none, without an error, of a file that is no JSON, has no hooks, an old version or an invalid hook";

export const ERROR_SECTIONS: readonly Section[] = [
  {
    title: "Events",
    rules: [
      ["onBeforeInstall", "Its hooks run before app.create.", events(BEFORE_INSTALL)],
      [
        "onAfterInstall",
        "Its hooks run after app.create, if that succeeded.",
        events("hook events > a failed app.create fires no onAfterInstall"),
      ],
      ["onBeforeUpgrade", "Its hooks run before app.upgrade.", events(BEFORE_UPGRADE)],
      [
        "onBeforeUpgrade",
        "Versions gate its hooks.",
        testsOf("engine/upgrade/upgrade")(
          "an upgrade > chooses its hooks by both versions and never runs those with consent",
        ),
      ],
      [
        "onAfterUpgrade",
        "Its hooks run after app.upgrade, if that succeeded.",
        events("hook events > a failed app.upgrade fires no onAfterUpgrade"),
      ],
      [
        "userAction",
        "Its hooks run if a person starts them.",
        events("hook events > userAction: when a person presses it, and at no lifecycle"),
      ],
      [
        "text",
        "A link that completed notifies once for each target it linked.",
        testsOf("engine/links/notifications")(
          "Notifications reach people > one for each target, stored until it is read, through a restart",
        ),
      ],
      [
        "text",
        "A link that did not complete notifies of no target.",
        testsOf("engine/links/link-notifications")(
          "does not come where a target it names was not installed: every condition of the link must pass",
        ),
      ],
      ["Placement 1", "An install event has neither from nor to.", event("from/to on an install event")],
      [
        "Placement 2",
        "A lifecycle event bound to versions does not stand beside a user action.",
        event("userAction together with an upgrade event that carries from/to"),
      ],
      [
        "Placement 3",
        "The two install events are not in one declaration.",
        event("onBeforeInstall with onAfterInstall in one declaration"),
      ],
      [
        "Placement 3",
        "The two upgrade events are not in one declaration.",
        event("the two upgrade events in one declaration"),
      ],
      [
        "Placement 4",
        "A version 6 hook with the event of version 5 is an error.",
        event("4: a version 5 event in a version 6 hook is an error"),
      ],
      [
        "Placement 5",
        "A leftover condition of version 5 is ignored: the hook fires at every upgrade.",
        defaults("hooks of versions > 6 keep firing at every upgrade with a leftover condition"),
      ],
    ],
  },
  {
    title: "Errors",
    rules: [
      ["1", "A hook with two sources is invalid.", drops("both script and scriptContent")],
      ["1", "A hook without a source is invalid.", drops("no source")],
      [
        "2",
        "A rerun on a hook no person can start makes it invalid.",
        hook("rerun on a hook that is not user-triggerable"),
      ],
      ["2", "A hook a person can start is invalid without a rerun.", drops("no rerun")],
      ["3", "An optional hook without a lifecycle event is invalid.", drops("optional without a lifecycle event")],
      ["4", "A hook with a consent and no install event is invalid.", drops("a consent without an install event")],
      ["5", "A hook with a target and a lifecycle event is invalid.", drops("a target with a lifecycle event")],
      ["6", "A hook with a range on an install event is invalid.", drops("a range on an install event")],
      [
        "7",
        "A hook with a user action and an upgrade bound to versions is invalid.",
        drops("a user action beside a bound upgrade"),
      ],
      ["8", "A hook with both install events is invalid.", drops("both install events")],
      ["8", "A hook with both upgrade events is invalid.", drops("both upgrade events")],
      [
        "9",
        "A hook at an upgrade with a condition on its own app's version is invalid.",
        drops("its own version as a gate"),
      ],
      [
        "10",
        "A hook with a lifecycle event and a condition on another app is invalid.",
        drops("a lifecycle event and another app"),
      ],
      [
        "10",
        "Its error says that links fire from the install picker, and what to remove.",
        defaults(
          "an invalid part > names the install picker as where a link belongs, if a lifecycle event has a condition on another app",
        ),
      ],
      ["11", "A second hook of one id is an error.", hook("duplicate hook id in one dictionary")],
      [
        "12",
        "A widget with one button twice is invalid.",
        defaults("an invalid part > drops a widget with a button twice alone"),
      ],
      [
        "12",
        "A widget with five buttons is invalid.",
        defaults("an invalid part > drops a widget with five buttons alone"),
      ],
      [
        "Behavior 1",
        "An invalid hook is dropped alone, with its error.",
        dropped(
          "an error drops its carrier and nothing else > drops a chain of hooks that require a dropped one, and nothing else",
        ),
      ],
      [
        "Behavior 1",
        "A script with a dropped hook still installs.",
        parts(
          "A dropped hook never refuses an install: > an invalid required one is missing, the good one runs, and the task carries the mark",
        ),
      ],
      [
        "Behavior 2",
        "An event nobody knows is left out, the others count.",
        defaults("an invalid part > keeps an event it knows beside one it does not"),
      ],
      ["Behavior 2", "A hook of which no event is known is dropped.", drops("no recognised event")],
      ["Behavior 3", "What can't be read yields no pairings and no error.", catalog(TOLERANT)],
      [
        "Behavior 4",
        "A target of no catalog app keeps its raw id and can't be installed.",
        catalog(
          "the pairings of a catalog > name a target of no catalog by its raw id, and the picker never offers to install it",
        ),
      ],
      [
        "Behavior 5",
        "The failure a script reports is shown with its context.",
        testsOf("engine/hooks/hooks")(
          "a hook that fails > waits for a person when it is required, with its message and context",
        ),
      ],
    ],
  },
];
