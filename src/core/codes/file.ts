import type { CodeText } from "./row.ts";

/** Codes of the files people look at. */
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
} as const satisfies Record<string, CodeText>;
