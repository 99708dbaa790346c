/** Macros as a host alone resolves them: nothing is generated, and nobody is told of faults. Pure. */
import type { MacroScope } from "../macros/macro-scope.ts";
import type { HostFacts } from "./host-facts.ts";
import type { PlanBudget } from "./plan-budget.ts";

/** The scope of macros with the facts of a host and some answers, within a budget. */
export function createHostScope(facts: HostFacts, budget: PlanBudget, answer: MacroScope["answer"]): MacroScope {
  return {
    facts,
    answer,
    location: (id) => (Object.hasOwn(facts.locations, id) ? facts.locations[id]?.replace(/(?<=.)\/+$/, "") : undefined),
    randomString: () => "",
    enter: () => !budget.overdrawn && budget.enter(),
    leave: () => budget.leave(),
    branched: () => {},
    used: () => {
      budget.addCall(0);
      return !budget.overdrawn;
    },
    fault: () => {},
  };
}
