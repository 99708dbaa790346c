import type { CodeText } from "./row.ts";

/** Codes of what `slipway check` finds by playing an app (docs/checking.md). */
export const CHECK_CODES = {
  CHECK_MACRO_LEFT: {
    title: "A resolved value still holds a macro",
    hint: "let a macro stand in the text itself: what a macro or an option yields is never read again, and a key never is",
    see: "docs/checking.md",
  },
  CHECK_TYPE_CHANGED: {
    title: "A value has another type with other answers or on another host than by default",
    hint: "give both branches and all options one type",
    see: "docs/checking.md",
  },
  CHECK_PATH_OUTSIDE: {
    title: "A path an answer goes into leads out of every location",
    hint: "use no answer as a part of a host path, or offer a select of names",
    see: "docs/checking.md",
  },
  CHECK_ANSWER_READ: {
    title: "An answer is read as something else than data",
    hint: "let the answer stand in a value of its own, not in a text that is JSON",
    see: "docs/checking.md",
  },
  CHECK_INSTALL_FAILED: {
    title: "An install or upgrade does not complete on the embedded host",
    hint: "see the failure it came to; install the app there with slipway install to look at its task",
    see: "docs/checking.md",
  },
  CHECK_HOOK_FAILED: {
    title: "A hook or action does not complete against the app's fake",
    hint: "see the script's own words; slipway run-hook runs it alone",
    see: "docs/checking.md",
  },
  CHECK_CHECKPOINT_OPEN: {
    title: "A hook completed without coming to a checkpoint it had registered",
    hint: "emit or skip the checkpoint, or register it where the script is sure to come to it",
    see: "docs/checking.md",
  },
  CHECK_WIDGET_FAILED: {
    title: "A widget has no result to show",
    hint: "see the script's own words; slipway run-hook --widget runs it alone",
    see: "docs/checking.md",
  },
  CHECK_REQUEST_UNANSWERED: {
    title: "A script asked for something the app's fake has no row for",
    hint: 'write what the app answers to "standin/<app id>.json": [{"method": "GET", "path": "/api/status", "body": {}}]',
    see: "docs/checking.md",
  },
  CHECK_SCENARIO_INVALID: {
    title: "The file of an app's scenarios can't be read as such",
    hint: "correct it at the place shown, and name it after its app; slipway schema --scenarios prints its JSON Schema",
    see: "docs/checking.md",
  },
  CHECK_EXPECTATION_UNMET: {
    title: "A scenario of an app did not come out as its author expects",
    hint: "correct the app, or what is expected at the place shown",
    see: "docs/checking.md",
  },
  CHECK_TIME_UP: {
    title: "A level of the check took longer than it may",
    hint: "make what is named end, or allow more with --limit SECONDS",
    see: "docs/checking.md",
  },
  CHECK_NOT_PLAYED: {
    title: "A level of the check could not be played to its end",
    hint: "see the reason; where it is not the app's, and not this machine's, report it with the app's files",
    see: "docs/checking.md",
  },
  CHECK_RAW_ERROR: {
    title: "A hook shows an error of the network or the language instead of its author's own words",
    hint: "catch what fetch and json() throw, look at the status, and end with ctx.fail(what went wrong for the user)",
    see: "docs/checking.md",
  },
  CHECK_RETRY_FAILED: {
    title: "A hook does not complete after Retry although its app is well again",
    hint: "let a hook that starts again take what its first attempt has done already as done",
    see: "docs/checking.md",
  },
  CHECK_SKIP_FAILED: {
    title: "A hook stops again after Skip, or can't be made up for by a press once its app is well",
    hint: "go on to the end after a skipped checkpoint, and do all of the work when the skipped hook is pressed later",
    see: "docs/checking.md",
  },
  CHECK_REFUSAL_IGNORED: {
    title: "A hook completes although its app refused a request that was to change something",
    hint: "look at the answer's status and end with ctx.fail, or skip the checkpoint it belongs to",
    see: "docs/checking.md",
  },
  CHECK_INSTALL_LEFT: {
    title: "An install whose hooks failed is not completed with a running app",
    hint: "see the failure it came to; a hook that others need may say so with requiresHooks",
    see: "docs/checking.md",
  },
  CHECK_CRASH_SHOWS: {
    title: "An app ends otherwise where the engine has died on the way",
    hint: "a request that was under way may be sent again: let the hook take what it finds done already (a 409, say) as done",
    see: 'docs/checking.md, "The crashes of level 6"',
  },
  CHECK_REQUEST_REPEATED: {
    title: "A hook sends a request twice, that may change something each time, where the engine has died on the way",
    hint: "keep the hook below 2,000 calls, 16 MB in all and 8 MB an answer, or look at the app before the request",
    see: 'docs/checking.md, "The crashes of level 6"',
  },
  CHECK_REPLAY_DIVERGED: {
    title: "A hook does something else when it is played back than it did",
    hint: "let it go by its inputs and by what it was answered alone, which are the same then",
    see: 'docs/checking.md, "The crashes of level 6"',
  },
  CHECK_UPGRADE_FAILED: {
    title: "An update or upgrade from an earlier version of a script does not complete",
    hint: "see the failure it came to; give new required questions a default, and raise script.version with every change",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_SECRET_LOST: {
    title: "A string that was generated for an app is another one after its script changed",
    hint: "leave $RANDOM_STRING, or the question it is the default of, at the place in app_values where it was",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_ANSWER_LOST: {
    title: "An answer a person gave is lost after the script changed",
    hint: "keep the question's key and its options, or its place in app_values where the key changes",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_INSTALLONLY_LOST: {
    title: "The answer to an installonly question can't be found again in the app's configuration",
    hint: "use the question's macro as a whole string somewhere in app_values, at the place it had before",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_HOOK_NEVER_FIRES: {
    title: "A hook is declared for upgrades, and no upgrade fires it",
    hint: "give it ranges an upgrade can meet: from the version departed, to the one installed, of a custom app its metadata.version; no upgrade runs a hook with userOptional",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_HOOK_MISFIRED: {
    title: "An upgrade fires other hooks than their ranges say",
    hint: "see whether the hook was dropped with a problem of its own; else report it with the script",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_OPTION_FAILED: {
    title: "An update with one changed answer does not complete on the embedded host",
    hint: "see the failure it came to; give the value the type and form the app takes, or do not offer the answer",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_OPTION_STRAYED: {
    title: "A changed answer does not show in the app's values, or changes others",
    hint: "let the answer stand at a place of app_values the host keeps; ix_ sections are its own",
    see: 'docs/checking.md, "The changes of level 7"',
  },
  CHECK_LINK_FAILED: {
    title: "A link between two apps is not made, or made although nobody chose it",
    hint: "let the link's hook rely on nothing that depends on which of the apps came first",
    see: 'docs/checking.md, "The links of level 8"',
  },
  CHECK_CONSENT_NEEDED: {
    title: "An install does not complete as it has to where one of its consents is not given",
    hint: "name the hook behind the consent in requiresHooks of every hook that needs it",
    see: 'docs/checking.md, "The links of level 8"',
  },
  CHECK_UNINSTALL_FAILED: {
    title: "An uninstall does not end with the app gone",
    hint: "see the failure it came to; uninstall the app there with slipway uninstall to look at its task",
    see: 'docs/checking.md, "The uninstalls of level 9"',
  },
  CHECK_DATA_LOST: {
    title: "An uninstall took what it has to keep",
    hint: "let the app's directories lie in a folder of its own below a location",
    see: 'docs/checking.md, "The uninstalls of level 9"',
  },
  CHECK_REINSTALL_FAILED: {
    title: "An app that was uninstalled does not come back as it was on the data that was kept",
    hint: "let hooks of the install take what an earlier one has set up as done",
    see: 'docs/checking.md, "The uninstalls of level 9"',
  },
  CHECK_LEFT_BEHIND: {
    title: "Something is left of an app that was uninstalled with its data",
    hint: "declare every folder of the app in ensure_directories_exists, also one that only holds others",
    see: 'docs/checking.md, "The uninstalls of level 9"',
  },
  CHECK_DIRECTORY_SHARED: {
    title: "A directory of an app is one of another app too, and is left when both are uninstalled with their data",
    hint: "give each app a folder of its own, or let both use the location itself",
    see: 'docs/checking.md, "The uninstalls of level 9"',
  },
} as const satisfies Record<string, CodeText>;
