import { defineConfig } from "vitest/config";
import { WITHIN_MS } from "./test/support/within.ts";

/** These hold bounds of CPU and wall time, so nothing runs beside them. */
const TIMED = ["test/sandbox/**/*.test.ts", "test/security/**/*.test.ts"];
/** Played a second time with every outcome of a hook delivered into a fresh isolate. */
const PLAYED_BACK = [
  "test/engine/hooks/{conditions-gate,hook-context,hook-events,hooks}.test.ts",
  "test/engine/methods/actions.test.ts",
  "test/sandbox/surface/surface-context.test.ts",
];
const SETUP = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: "forks",
  expect: { poll: { timeout: WITHIN_MS, interval: 20 } },
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...SETUP,
          name: "side by side",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/wpt/**", ...TIMED],
          maxWorkers: "100%",
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...SETUP,
          name: "played back",
          include: PLAYED_BACK,
          env: { SLIPWAY_ALWAYS_REPLAY: "1" },
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: { ...SETUP, name: "one by one", include: TIMED, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
