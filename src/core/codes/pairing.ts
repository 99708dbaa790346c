import type { CodeText } from "./row.ts";

const DIALOG = "specification, Install dialog; choices, Pairings and links";

/** Codes of pairings, links and actions. */
export const PAIRING_CODES = {
  PAIRING_LINK_UNKNOWN: {
    title: "The link names a hook that yields no pairing of this app",
    hint: "choose one of the pairings listed for the app",
    section: DIALOG,
  },
  PAIRING_LINK_LIMIT: {
    title: "More links are selected than one install may carry",
    hint: "select at most 6 links",
    section: "specification, Limits",
  },
  PAIRING_REPEATED: {
    title: "A link, or a target of a link, is selected twice",
    hint: "select each hook once, with all of its targets",
    section: DIALOG,
  },
  PAIRING_LINK_GATED: {
    title: "The link needs a consent that is off",
    hint: "give the consents named, or leave the link out",
    section: DIALOG,
  },
  PAIRING_TARGET_UNKNOWN: {
    title: "The link's hook does not name this target",
    hint: "choose targets from the pairing's list",
    section: DIALOG,
  },
  PAIRING_TARGET_LIMIT: {
    title: "A link has no target, or more than one link may carry",
    hint: "select 1 to 6 targets per link",
    section: "specification, Limits",
  },
  PAIRING_TARGET_NOT_INSTALLABLE: {
    title: "The target is not installed and no catalog app has its id",
    hint: "leave the target out",
    section: "specification, Errors",
  },
  ACTION_UNKNOWN: {
    status: 404,
    exit: "usage",
    title: "The app has no such user-triggerable hook",
    hint: "list the app's actions to find the hook's id",
    section: "specification, Hook events",
  },
  ACTION_UNAVAILABLE: {
    status: 409,
    title: "The action can't run now",
    hint: "see the reason, and try again when it no longer holds",
    section: "specification, Condition",
  },
  WIDGET_UNKNOWN: {
    status: 404,
    title: "The app has no such widget",
    hint: "list the app's widgets to find the id",
    section: "specification, Widget",
  },
  WIDGET_RESULT_INVALID: {
    title: "The widget's query returned something a tile can't show",
    hint: "return {fields} or {needsSetup, reason} as the author documentation says",
    section: "choices, Widgets",
  },
  WIDGET_FIELD_MISSING: {
    title: "A size refers to a field the query did not return",
    hint: "return every field the sizes name, or leave the slot out",
    section: "specification, Widget",
  },
} as const satisfies Record<string, CodeText>;
