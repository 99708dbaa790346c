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
  CHECK_FAKE_MISSING: {
    title: "An app has hooks or widgets, and no fake to run them against",
    hint: 'write what the app answers to "standin/<app id>.json": [{"method": "GET", "path": "/api/status", "body": {}}]',
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
    hint: "add a row for the request to the fake's answers",
    see: "docs/checking.md",
  },
  CHECK_SCENARIO_INVALID: {
    title: "The file of an app's scenarios can't be read as such",
    hint: "correct it at the place shown; slipway schema --scenarios prints its JSON Schema",
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
} as const satisfies Record<string, CodeText>;
