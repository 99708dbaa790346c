import type { Level } from "./level.ts";

/** Level 1: the validator, on every file of the app. */
export const READS: Level = {
  number: 1,
  name: "reads",
  holds: "no script of the app has an error; with `--strict`, no warning",
  play: async ({ problems }) => ({ findings: problems, coverage: [] }),
};
