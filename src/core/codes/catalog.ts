import type { Severity } from "./problems.ts";
import type { CodeText } from "./row.ts";

/** Codes of a catalog directory and the files in it. */
export const CATALOG_CODES = {
  CATALOG_UNREADABLE: {
    audience: "owner",
    title: "The catalog directory can't be read",
    hint: "name an existing directory that this user may read",
  },
  CATALOG_FILE_UNREADABLE: {
    audience: "host",
    title: "A file of the catalog can't be read",
    hint: "make it a regular file that this user may read",
  },
  CATALOG_FILE_CHANGING: {
    title: "A file of the catalog changes while it is read; its last complete state is used",
    hint: "replace files by renaming a finished copy over them, and sync again",
  },
  CATALOG_FILE_UNCHECKED: {
    title: "A file of the catalog takes too much time or memory to check and is left out",
    hint: "make the file, and the TypeScript it names, smaller or simpler",
  },
  CATALOG_FILE_LEFT_OUT: {
    title: "The catalog is too large as a whole, so its largest files are left out",
    hint: "make this file smaller, or split the catalog",
  },
  CATALOG_FILES_TOO_MANY: {
    title: "The catalog has more than 20,000 install scripts; the first by name are read",
    hint: "split the catalog",
  },
  CATALOG_FILE_NOT_UTF8: { title: "A file of the catalog is not UTF-8 text", hint: "save the file as UTF-8" },
  CATALOG_PULL_FAILED: {
    audience: "owner",
    title: "The catalog's git checkout can't be brought up to date; the files as they are stay in force",
    hint: "see the reason of git, and make the directory a clean checkout that can be fast-forwarded",
  },
  CATALOG_NO_CHECKOUT: {
    title: "Scripts of an earlier commit are asked for, and the catalog lies in no git checkout that can be read",
    hint: "name a folder of a checkout that belongs to the user who runs the command, and install git",
    see: "docs/checking.md",
  },
  CATALOG_REF_UNKNOWN: {
    title: "The commit whose scripts are asked for is none the checkout has",
    hint: "name a branch, tag or commit that is there; a shallow checkout gets the others by git fetch --unshallow (in CI: fetch-depth: 0)",
    see: "docs/checking.md",
  },
  CATALOG_INDEX_INVALID: {
    title: '"catalog.json" does not have its shape; the list read before stays in force',
    hint: 'write {"deprecated": ["app-id"]}',
    see: "docs/decisions.md, section 1",
    bad: '{ "deprecated": "jellyfin" }',
    good: '{ "deprecated": ["jellyfin"] }',
  },
  CATALOG_TARGET_UNDECLARED: {
    title: "A condition names an app that no install script of the catalog declares",
    hint: "correct the id, or leave it if it is an app of the host's own catalog",
    see: 'docs/install-scripts.md, "Conditions"',
    severity: "info",
  },
  CATALOG_VERSION_REPEATED: {
    title: "Two files of one app have one script.version, so none of them is the newest",
    hint: "raise the version of the newer one",
    see: "docs/decisions.md, section 1",
  },
} as const satisfies Record<string, CodeText & { readonly severity?: Severity }>;
