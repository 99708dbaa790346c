/** `<app>.check.json` or `.ts`: what an author wants to see of an app beyond what is generated. */
import { z } from "zod";
import { TASK_STATES } from "../../core/task-states.ts";
import { WholeTable } from "../../standin/apps/answers.ts";

const ById = z.record(z.string(), z.json());
const State = z.enum(TASK_STATES);

const ExpectedRequest = z.strictObject({
  /** Default: any. */
  method: z.string().exactOptional(),
  /** As of a fake's row: a path of the app or a whole address; a `*` at its end takes every longer one. */
  path: z.string().regex(/^(\/|https?:\/\/)/, "allowed is a path, or a whole http(s) address"),
  /** How often it is asked; default: once or more. 0: never. */
  times: z.int().min(0).exactOptional(),
});

const Expected = z.strictObject({
  /** Where the install comes to rest. */
  state: State.default("COMPLETED"),
  /** Values of the app on the host; members that are not named may be anything. */
  values: z.record(z.string(), z.json()).default({}),
  requests: z.array(ExpectedRequest).default([]),
  /** Where a hook's task comes to rest, by hook id. */
  hooks: z.record(z.string(), State).default({}),
  /** States of a hook's checkpoints, by hook id and checkpoint id. */
  checkpoints: z.record(z.string(), z.record(z.string(), State)).default({}),
});

const Scenario = z.strictObject({
  name: z.string().min(1).max(200),
  /** The host it is installed on. */
  host: z.enum(["usual", "large", "small", "nvidia"]).default("usual"),
  /** By question key; the others are as the check has them. */
  answers: ById.default({}),
  /** By hook id; the others are given. */
  consents: z.record(z.string(), z.boolean()).default({}),
  /** By hook id, then input id. */
  inputs: z.record(z.string(), ById).default({}),
  /** Rows in front of those of the app's fake: a row with `times` answers first, and then makes room. */
  fake: WholeTable.shape.answers,
  /** What a person presses, each time one is asked; then Skip. */
  presses: z.array(z.enum(["retry", "skip"])).default([]),
  expect: Expected.prefault({}),
});
/** One way to install the app, and what has to come of it. */
export type Scenario = z.output<typeof Scenario>;

/** The whole file. */
export const ScenarioFile = z.strictObject({
  /** For the editor. */
  $schema: z.string().exactOptional(),
  scenarios: z.array(Scenario).min(1).max(50),
});

/** The JSON Schema (draft 2020-12) of the file. */
export function buildScenarioJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ScenarioFile, { io: "input", target: "draft-2020-12" });
  return { ...schema, title: "Slipway scenarios of an app" };
}
