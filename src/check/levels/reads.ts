import type { Level } from "./level.ts";

/** Level 1: the validator, on every file of the app, and the schema of its app on the values of the newest. */
export const READS: Level = {
  number: 1,
  name: "reads",
  holds: "no script of the app has an error; with `--strict`, no warning",
  play: async ({ problems, judged }) => ({ findings: problems, coverage: judged === undefined ? [] : [judged] }),
};
