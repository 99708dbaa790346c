import type { CodeText } from "./row.ts";

/** Codes of what a plan needs from the host: requirements and directories. */
export const PLAN_CODES = {
  REQUIREMENT_LOCATION_MISSING: {
    audience: "owner",
    title: "A required location is not configured on the host",
    hint: "set a folder of the host for the location: in its Locations settings, or in the locations the engine is opened with",
    see: 'docs/install-scripts.md, "Requirements"',
  },
  REQUIREMENT_UNMET: {
    audience: "host",
    title: "The host does not have what the script requires, and the embedder enforces it",
    hint: "see what was found, and give the host what is missing; only the embedder can let such an install begin",
    see: 'docs/install-scripts.md, "Requirements"',
  },
  DIRECTORY_OUTSIDE: {
    title: "A directory lies outside its location",
    hint: 'write the path as "$LOCATION(locationId)/name", without ".." out of it',
    see: 'docs/install-scripts.md, "Requirements"',
    bad: '{ "path": "$LOCATION(Media)/../x" }',
    good: '{ "path": "$LOCATION(Media)/x" }',
  },
  DIRECTORY_SNAPSHOT_ID: {
    title: "The id of a snapshot can't be part of a snapshot's name",
    hint: 'use up to 64 letters, digits, "_", ".", ":" and "-"',
    see: 'docs/install-scripts.md, "DirectoryEntry"',
    bad: '{ "path": "$LOCATION(Media)/x", "snapshot": { "id": "my data" } }',
    good: '{ "path": "$LOCATION(Media)/x", "snapshot": { "id": "data" } }',
  },
} as const satisfies Record<string, CodeText>;
