/** Issues of the schema in the script itself: requirements, version, sections, directories. */
import coerce from "semver/functions/coerce.js";
import { MAX_ID, SPECIFICATIONS, UNLISTED_LOCATIONS } from "../../script/script-words.ts";
import { makeDirectory, makeHook, makeScript } from "../example.ts";
import { suggestWord } from "../field-words.ts";
import { type FieldRule, quote } from "../row.ts";

const DECISIONS = "docs/decisions.md, section 1";

/** Rows for fields of the script itself. */
export const SCRIPT_FIELD_RULES = {
  SCRIPT_SPECIFICATION_UNLISTED: {
    title: "A specification is not in the specification's list, but its meaning is clear",
    hint: `use one of ${SPECIFICATIONS.join(", ")} where it is enough`,
    see: 'docs/install-scripts.md, "Requirements"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) =>
      kind === "word" &&
      field === "requirements.specifications.*" &&
      /^(\d+(MB|GB|MBRAM|GBRAM|CORE)|GPU)$/i.test(String(value)),
    message: ({ value }) => `specification ${quote(value)} is not in the list of the specification`,
    bad: makeScript({ requirements: { specifications: ["256MB"] } }),
    good: makeScript({ requirements: { specifications: ["200MB"] } }),
  },
  SCRIPT_LOCATION_UNLISTED: {
    title: "A location is not in the specification's list, but some hosts have it",
    hint: "name a location of the list, so that every host can have it",
    see: 'docs/install-scripts.md, "Requirements"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) =>
      kind === "word" &&
      field === "requirements.locations.*" &&
      UNLISTED_LOCATIONS.some((location) => location === value),
    message: ({ value }) => `location ${quote(value)} is not in the list of the specification`,
    bad: makeScript({ requirements: { locations: ["InstallMedia"] } }),
    good: makeScript({ requirements: { locations: ["Media"] } }),
  },
  SCRIPT_LOCATION_UNKNOWN: {
    title: "A location does not exist",
    hint: "name a location of the list, letter case counts",
    see: 'docs/install-scripts.md, "Requirements"',
    severity: "error",
    takes: ({ kind, field }) => kind === "word" && field === "requirements.locations.*",
    message: ({ value, allowed }) => `location ${quote(value)} does not exist; allowed are ${allowed}`,
    hintFor: suggestWord,
    bad: makeScript({ requirements: { locations: ["media"] } }),
    good: makeScript({ requirements: { locations: ["Media"] } }),
  },
  SCRIPT_PORT_INVALID: {
    title: "A port is not a port number",
    hint: "write a whole number from 1 to 65535",
    see: 'docs/install-scripts.md, "Requirements"',
    severity: "error",
    takes: ({ field }) => field === "requirements.ports.*",
    message: ({ value }) => `port ${quote(value)} is not a whole number from 1 to 65535`,
    bad: makeScript({ requirements: { ports: [99999] } }),
    good: makeScript({ requirements: { ports: [8080] } }),
  },
  SCRIPT_VERSION_COERCED: {
    title: "The script's version is not a complete semantic version",
    hint: "write three numbers",
    see: 'docs/install-scripts.md, "ScriptVersion"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) => kind === "form" && field === "script.version" && coerceText(value) !== null,
    message: ({ value }) => `version ${quote(value)} is not a semantic version, it is read as "${coerceText(value)}"`,
    hintFor: ({ value }) => `write "${coerceText(value)}"`,
    bad: makeScript({ script: { version: "1.1" } }),
    good: makeScript({ script: { version: "1.1.0" } }),
  },
  SCRIPT_WIDGETS_SCHEMA: {
    title: '"widgetsSchema" is not 2, so no widget is read',
    hint: 'write "widgetsSchema": 2',
    see: 'docs/install-scripts.md, "Script6"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ field, kind }) => field === "widgetsSchema" && kind !== "key",
    message: ({ value }) => `"widgetsSchema" is ${quote(value)}, so none of the app's widgets are read; allowed is 2`,
    bad: makeScript({ widgetsSchema: 3 }),
    good: makeScript({ widgetsSchema: 2 }),
  },
  SCRIPT_SECTION_UNREAD: {
    title: "The script's version has no such section, so it is not read",
    hint: 'raise "version", or remove the section',
    see: 'docs/install-scripts.md, "Versions"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field }) => kind === "key" && ["hooks", "widgets", "widgetsSchema"].includes(field),
    message: ({ field, dialect }) => `"${field}" is not read in a version ${dialect} script`,
    hintFor: ({ field }) => (field === "hooks" ? 'write "version": 6 or 5' : 'write "version": 6'),
    bad: makeScript({ version: 4, widgetsSchema: 2 }),
    good: makeScript({ version: 6, widgetsSchema: 2 }),
  },
  SCRIPT_KEY_MISPLACED: {
    title: 'The key belongs in "app_values" and is ignored where it stands',
    hint: 'move it into "app_values"',
    see: DECISIONS,
    severity: "warning",
    takes: ({ kind, field }) => kind === "key" && ["network", "resources"].includes(field),
    message: ({ field }) => `"${field}" belongs in "app_values" and is ignored at the top level`,
    bad: makeScript({ network: { port: 80 } }),
    good: makeScript({ app_values: { network: { port: 80 } } }),
  },
  SCRIPT_ID_TOO_LONG: {
    title: "The id of a hook or widget, or the key of a question, is longer than a request may name",
    hint: `write at most ${MAX_ID} characters`,
    see: 'docs/install-scripts.md, "Limits"',
    severity: "error",
    takes: ({ kind, value }) => kind === "high" && typeof value === "string",
    message: ({ path, value }) =>
      `the ${path.at(-1)} ${quote(value)} has ${String(value).length} characters; allowed are ${MAX_ID}`,
    bad: makeHook({ id: "h".repeat(MAX_ID + 1) }),
    good: makeHook({ id: "h".repeat(MAX_ID) }),
  },
  DIRECTORY_OWNER_TEXT: {
    title: "The owner of a directory is a plain text, read as the user",
    hint: 'write {"user": NAME}',
    see: 'docs/install-scripts.md, "DirectoryEntry"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field, value }) =>
      kind === "type" && field === "ensure_directories_exists.*.owner" && typeof value === "string" && value !== "",
    message: ({ value }) => `"owner" is the text ${quote(value)}, it is read as {"user": ${quote(value)}}`,
    hintFor: ({ value }) => `write "owner": {"user": ${quote(value)}}`,
    bad: makeDirectory({ owner: "apps" }),
    good: makeDirectory({ owner: { user: "apps" } }),
  },
} as const satisfies Record<string, FieldRule>;

function coerceText(value: unknown): string | null {
  if (typeof value !== "string" || !/^v?\d+(\.\d+)*/.test(value.trim())) return null;
  return coerce(value)?.version ?? null;
}
