import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { WITHIN_MS } from "./test/support/within.ts";

/**
 * These hold bounds of CPU, memory or wall time, or count the processes of the whole machine: nothing runs beside them.
 */
const ALONE = [
  "test/sandbox/{attacks,containment}/*.test.ts",
  "test/sandbox/{isolated-process,users}.test.ts",
  "test/sandbox/journal/commits.test.ts",
  "test/security/catalog/{hostile-catalog,light-file,script-limits}.test.ts",
  "test/security/network/dense-answers.test.ts",
  "test/security/process/*.test.ts",
  "test/security/run/{endless-reports,hostile-messages,masked-texts}.test.ts",
];
/** The longest, and short files: the last to be started where they are sorted by their sizes, as in a fresh clone. */
const LONGEST = ["test/crash/*.test.ts"];
/** Played a second time with every outcome of a hook delivered into a fresh isolate. */
const PLAYED_BACK = [
  "test/engine/hooks/{conditions-gate,hook-context,hook-events,hooks}.test.ts",
  "test/engine/methods/actions.test.ts",
  "test/sandbox/surface/surface-context.test.ts",
];
/** Holds nothing and starts nothing, so its files share their modules: loading them takes longer than the tests. */
const PURE = ["test/core/**/*.test.ts"];
const SETUP = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  pool: "forks",
  expect: { poll: { timeout: WITHIN_MS, interval: 20 } },
} as const;

/** More than there are processors: a test waits for processes, disks and deadlines half of its time. */
const SIDE_BY_SIDE = { maxWorkers: Math.ceil(availableParallelism() * 2), sequence: { groupOrder: 0 } };

export default defineConfig({
  test: {
    // Started in the order of their names.
    projects: [
      { test: { ...SETUP, name: "crashes", include: LONGEST, ...SIDE_BY_SIDE } },
      {
        test: {
          ...SETUP,
          name: "side by side",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/wpt/**", ...LONGEST, ...PURE, ...ALONE],
          ...SIDE_BY_SIDE,
        },
      },
      { test: { ...SETUP, name: "pure", include: PURE, isolate: false, ...SIDE_BY_SIDE } },
      {
        test: {
          ...SETUP,
          name: "played back",
          include: PLAYED_BACK,
          env: { SLIPWAY_ALWAYS_REPLAY: "1" },
          ...SIDE_BY_SIDE,
        },
      },
      {
        test: { ...SETUP, name: "one by one", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
