import type { JsonPath } from "../../core/json/json.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Placed } from "./place-findings.ts";
import type { Scenario } from "./scenario-file.ts";

/** What scenarios name that the app's script does not have: it would be left out without a word. */
export function findUnknownNames(scenarios: readonly Scenario[], dictionary: Dictionary): readonly Placed[] {
  const { questions, hooks } = dictionary;
  const hookIds = hooks.map(({ id }) => id);
  const consented = hooks.filter(({ userOptional }) => userOptional !== undefined).map(({ id }) => id);
  return scenarios.flatMap(({ answers, consents, inputs, expect }, index) => {
    const look = (path: JsonPath, named: object, known: readonly string[], what: string): readonly Placed[] =>
      Object.keys(named)
        .filter((name) => !known.includes(name))
        .map((name) => ({ path: ["scenarios", index, ...path, name], message: `the script has no ${what} "${name}"` }));
    return [
      ...look(
        ["answers"],
        answers,
        questions.map(({ key }) => key),
        "question",
      ),
      ...look(["consents"], consents, consented, "hook with a consent"),
      ...look(["inputs"], inputs, hookIds, "hook"),
      ...Object.entries(inputs).flatMap(([hookId, values]) => {
        const hook = hooks.find(({ id }) => id === hookId);
        const known = hook?.inputs.map(({ id }) => id);
        return known === undefined ? [] : look(["inputs", hookId], values, known, `input of "${hookId}"`);
      }),
      ...look(["expect", "hooks"], expect.hooks, hookIds, "hook"),
      ...look(["expect", "checkpoints"], expect.checkpoints, hookIds, "hook"),
    ];
  });
}
