import type { CodeText } from "./row.ts";

/** Codes of what a plan needs from the host: requirements and directories. */
export const PLAN_CODES = {
  REQUIREMENT_LOCATION_MISSING: {
    title: "A required location is not configured on the host",
    hint: "configure the location in the Locations settings",
    section: "Requirements object, rule 2",
  },
  REQUIREMENT_UNMET: {
    title: "The host does not have what the script requires, and the embedder enforces it",
    hint: "see what was found; change the host or the script's requirements",
    section: "Requirements object, rule 3",
  },
  DIRECTORY_OUTSIDE: {
    title: "A directory lies outside its location",
    hint: 'write the path as "$LOCATION(locationId)/name", without ".." out of it',
    section: "Requirements object, rule 4",
    bad: '{ "path": "$LOCATION(Media)/../x" }',
    good: '{ "path": "$LOCATION(Media)/x" }',
  },
} as const satisfies Record<string, CodeText>;
