import type { CodeText } from "./row.ts";

const DIALOG = 'docs/install-scripts.md, "The install dialog"; docs/choices.md, "Pairings and links"';

/** Codes of what is shown of apps: pairings, links, actions, pictures and widgets. */
export const PAIRING_CODES = {
  PAIRING_LINK_UNKNOWN: {
    title: "The link names a hook that yields no pairing of this app",
    hint: "choose one of the pairings listed for the app",
    see: DIALOG,
  },
  PAIRING_LINK_LIMIT: {
    title: "More links are selected than one install may carry",
    hint: "select at most 6 links",
    see: 'docs/install-scripts.md, "Limits"',
  },
  PAIRING_REPEATED: {
    title: "A link, or a target of a link, is selected twice",
    hint: "select each hook once, with all of its targets",
    see: DIALOG,
  },
  PAIRING_LINK_GATED: {
    title: "The link needs a consent that is off",
    hint: "give the consents named, or leave the link out",
    see: DIALOG,
  },
  PAIRING_TARGET_UNKNOWN: {
    title: "The link's hook does not name this target",
    hint: "choose targets from the pairing's list",
    see: DIALOG,
  },
  PAIRING_TARGET_LIMIT: {
    title: "A link has no target, or more than one link may carry",
    hint: "select 1 to 6 targets per link",
    see: 'docs/install-scripts.md, "Limits"',
  },
  PAIRING_TARGET_NOT_INSTALLABLE: {
    title: "The target is not installed and no catalog app has its id",
    hint: "leave the target out",
    see: 'docs/install-scripts.md, "Fields that go together"',
  },
  ACTION_UNKNOWN: {
    status: 404,
    exit: "usage",
    title: "The app has no such user-triggerable hook",
    hint: "list the app's actions to find the hook's id",
    see: 'docs/install-scripts.md, "LifecycleEntry"',
  },
  ACTION_UNAVAILABLE: {
    status: 409,
    title: "The action can't run now",
    hint: "see the reason, and try again when it no longer holds",
    see: 'docs/install-scripts.md, "Conditions"',
  },
  ACTION_FILE_REFUSED: {
    title: "A selected file is not one a hook may have",
    hint: "select files that are there, in a mount of the app, by their plain paths",
    see: 'docs/install-scripts.md, "FileTarget"',
  },
  ICON_UNREADABLE: {
    audience: "author",
    status: 404,
    title: "The app has no picture that can be shown",
    hint: "name an SVG, PNG, WebP or JPEG of at most 256 KB and 4 megapixels that does not move: a file of the catalog, or a public http(s) address",
    see: 'docs/install-scripts.md, "Metadata"',
  },
  WIDGET_UNKNOWN: {
    status: 404,
    title: "The app has no such widget",
    hint: "list the app's widgets to find the id",
    see: 'docs/install-scripts.md, "Widgets"',
  },
  WIDGET_REPEATED: {
    title: "A widget stands on the dashboard twice",
    hint: "name each widget once",
    see: 'docs/http.md, "Dashboard"',
  },
  WIDGET_SIZE_UNDECLARED: {
    title: "The widget is not made for this size",
    hint: "choose a size the widget declares, or leave the size out",
    see: 'docs/http.md, "Dashboard"',
  },
  DASHBOARD_REFUSED: {
    title: "The dashboard can't be arranged like this",
    hint: "see the problems for the tiles and correct them",
    see: 'docs/http.md, "Dashboard"',
  },
  WIDGET_RESULT_INVALID: {
    audience: "author",
    title: "The widget's query returned something a tile can't show",
    hint: "return {fields} or {needsSetup, reason} as the author documentation says",
    see: 'docs/choices.md, "Widgets"',
  },
  WIDGET_FIELD_MISSING: {
    audience: "author",
    title: "A size refers to a field the query did not return",
    hint: "return every field the sizes name, or leave the slot out",
    see: 'docs/install-scripts.md, "Widgets"',
  },
  WIDGET_FIELD_TYPE: {
    audience: "author",
    title: "A size shows a field as another type than the query returned",
    hint: "return the field as the slot's type, or name another field; media is an image",
    see: 'docs/install-scripts.md, "Widgets"',
  },
} as const satisfies Record<string, CodeText>;
