import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { findMemoryFolder } from "./test/support/memory-folder.ts";
import { WITHIN_MS } from "./test/support/within.ts";

/** These hold bounds of wall time, or compute on every processor: nothing runs beside them. */
const ALONE = [
  "test/sandbox/attacks/*.test.ts",
  "test/sandbox/journal/commits.test.ts",
  "test/security/catalog/hostile-catalog.test.ts",
  "test/security/run/{endless-reports,hostile-messages,masked-texts}.test.ts",
];
/** These hold bounds of CPU or memory, or look at processes of their own: as many run as there are processors. */
const FEW = [
  "test/sandbox/containment/*.test.ts",
  "test/sandbox/{isolated-process,users}.test.ts",
  "test/security/catalog/{largest-scripts,light-file,linear-work,script-limits}.test.ts",
  "test/security/network/dense-answers.test.ts",
  "test/security/process/*.test.ts",
  "test/security/run/log-growth.test.ts",
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
/** Share their modules, and one sandbox: loading the engine and starting the sandbox takes as long as their tests. */
const SHARING = [
  "test/contract/*.test.ts",
  "test/engine/*/*.test.ts",
  "test/specification/*.test.ts",
  "test/surfaces/*.test.ts",
];
/** Of these, those that look at the process or its children. */
const NOT_SHARING = [
  "test/engine/hooks/{after-a-restart,restarts}.test.ts",
  "test/engine/runtime/{crash-points,journal-writer}.test.ts",
];
const SETUP = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  pool: "forks",
  setupFiles: "test/support/wire-check/setup.ts",
  expect: { poll: { timeout: WITHIN_MS, interval: 20 } },
} as const;

/** More than there are processors: a test waits for processes, disks and deadlines half of its time. */
const SIDE_BY_SIDE = { maxWorkers: Math.ceil(availableParallelism() * 2), sequence: { groupOrder: 0 } };

/** Their processes are killed, but none loses power: no commit has to wait for a disk. */
const IN_MEMORY = { env: { TMPDIR: findMemoryFolder() } };

const BY_PROCESSORS = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    // Started in the order of their names.
    projects: [
      { test: { ...SETUP, name: "crashes", include: LONGEST, ...IN_MEMORY, ...SIDE_BY_SIDE } },
      {
        test: {
          ...SETUP,
          name: "side by side",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/wpt/**", ...LONGEST, ...PURE, ...FEW, ...ALONE, ...SHARING],
          ...SIDE_BY_SIDE,
        },
      },
      { test: { ...SETUP, name: "apart", include: NOT_SHARING, ...SIDE_BY_SIDE } },
      {
        test: {
          ...SETUP,
          name: "engines",
          include: SHARING,
          exclude: NOT_SHARING,
          isolate: false,
          ...IN_MEMORY,
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
      { test: { ...SETUP, name: "few", include: FEW, ...BY_PROCESSORS } },
      {
        test: { ...SETUP, name: "one by one", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
