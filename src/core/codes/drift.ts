import type { CodeText } from "./row.ts";

const SECTION = 'docs/operating.md, "Drift"';

/** Codes of what the host has otherwise than the engine left it. */
export const DRIFT_CODES = {
  DRIFT_APP_GONE: {
    title: "An app this engine installed is not on the host any more",
    hint: "install it again: its answers were kept and are offered, and its directories are used where they still are",
    see: SECTION,
  },
  DRIFT_NAME_TAKEN: {
    title: "Another app has the name of one this engine installed",
    hint: "remove or rename the other one on the host, then install this one again",
    see: SECTION,
  },
  DRIFT_APP_UNKNOWN: {
    title: "An app of the catalog was installed by other means",
    hint: "adopt it: nobody here knows what it was set up with until then; nothing is changed on the host",
    see: SECTION,
  },
  DRIFT_VERSION: {
    title: "An app has another version than the one this engine led it to",
    hint: "hooks of an upgrade did not run: read the app's changelog, then update the app to have its options checked",
    see: SECTION,
  },
  DRIFT_VALUE: {
    title: "An option of an app is not the one this engine set",
    hint: "update the app: its dialog offers answers that were changed on the host, what its script fixes is put back",
    see: SECTION,
  },
  DRIFT_DIRECTORY_GONE: {
    title: "A directory of an app is missing",
    hint: "look for its data on the host (a dataset that is locked or not mounted); once it is lost, an update makes it anew",
    see: SECTION,
  },
  DRIFT_DIRECTORY_REPLACED: {
    title: "A link, or something else, stands where an app's directory was",
    hint: "find out who put it there and put the directory back: no task of the app works with it until then",
    see: SECTION,
  },
  DRIFT_OWNER: {
    title: "A directory of an app belongs to somebody else than its script says",
    hint: "update the app: it gives the directory back after a snapshot",
    see: SECTION,
  },
  DRIFT_SHARE_GONE: {
    title: "A directory this engine shared is not shared any more",
    hint: "share it again on the host, if it is to be shared",
    see: SECTION,
  },
  DRIFT_LINK_LOST: {
    title: "An app was installed anew, or taken back, since it was connected with another",
    hint: "connect them again",
    see: SECTION,
  },
} as const satisfies Readonly<Record<string, CodeText>>;
