import type { CodeText } from "./row.ts";

const EXPORT = 'docs/operating.md, "Moving house"';

/** Codes of the files people look at, and of those that carry apps from one box to another. */
export const FILE_CODES = {
  FILE_OUTSIDE: {
    title: "The path leads out of the host's locations",
    hint: 'begin at a location, without ".." and without links that lead out of it',
    see: 'docs/http.md, "Files"',
  },
  FILE_UNKNOWN: {
    status: 404,
    title: "There is no folder at this path",
    hint: "list the folder above it",
    see: 'docs/http.md, "Files"',
  },
  FILE_NOT_FOLDER: {
    title: "What stands at this path is not a folder",
    hint: "list the folder it stands in",
    see: 'docs/http.md, "Files"',
  },
  FILE_UNREADABLE: {
    status: 403,
    title: "The folder can't be read",
    hint: "see that the engine runs on the host, and may read the folder",
    see: 'docs/http.md, "Files"',
  },
  EXPORT_INVALID: {
    title: "The file is not an export of Slipway",
    hint: "name a file that `slipway export` has written; none is made by hand",
    see: EXPORT,
  },
  EXPORT_TOO_LARGE: {
    status: 413,
    title: "The file is larger than any export is",
    hint: "name a file that `slipway export` has written",
    see: EXPORT,
  },
  EXPORT_VERSION_UNKNOWN: {
    title: "The export was written by a newer version of Slipway",
    hint: "import it with that version or a newer one",
    see: EXPORT,
  },
  EXPORT_CHANGED: {
    title: "The export is not as it was written",
    hint: "copy it anew from where it was made; to have other answers, give them to the import",
    see: EXPORT,
  },
  EXPORT_PASSPHRASE_MISSING: {
    title: "The export holds secrets, and no passphrase was given",
    hint: "give the passphrase it was made with, or do without its secrets",
    see: EXPORT,
  },
  EXPORT_PASSPHRASE_WRONG: {
    title: "The passphrase does not open the export",
    hint: "give the passphrase it was made with; where that is the one, somebody has changed the file: take it from where it was made",
    see: EXPORT,
  },
  EXPORT_NONE: {
    title: "There is nothing to export",
    hint: "adopt apps that were installed by other means, or install some",
    see: EXPORT,
  },
  EXPORT_APP_UNKNOWN: {
    title: "Nobody knows what an installed app was set up with",
    hint: "it was installed by other means: adopt it, then export again",
    see: EXPORT,
  },
  IMPORT_NONE: {
    status: 409,
    exit: "failed",
    title: "There is nothing to import",
    hint: "look at the preview: everything is here, or each thing that is not has a reason there",
    see: EXPORT,
  },
} as const satisfies Record<string, CodeText>;
