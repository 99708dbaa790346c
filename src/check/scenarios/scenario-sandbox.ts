/** Where files of scenarios in TypeScript are evaluated: nothing can be reached from there. */
import type { Answered, ScriptIo } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";

const REFUSED = {
  error: {
    name: "TypeError",
    message: "a file of scenarios reaches no network, file or database",
    code: "policy_denied",
  },
} as const satisfies Answered<never>;

const NOTHING_REACHED: ScriptIo = {
  open: () => ({
    fetch: async () => REFUSED,
    readFile: async () => REFUSED,
    list: async () => REFUSED,
    stat: async () => REFUSED,
    openDatabase: async () => REFUSED,
    query: async () => REFUSED,
    closeDatabase: async () => REFUSED,
    close: async () => {},
  }),
};

/** Makes the sandbox; nothing is started before the first file. To be closed. */
export function createScenarioSandbox() {
  return createSandbox({ scriptIo: NOTHING_REACHED, allowWeakSandbox: true, keepWarmChild: false });
}
