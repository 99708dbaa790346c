/** The shape a stored plan must have to be worked from. */
import { z } from "zod";
import type { Json, JsonObject } from "../core/json/json.ts";
import { type Hook, LIFECYCLE_EVENTS, type Question, SURFACES } from "../core/script/dictionary.ts";
import { HOOK_KINDS, QUESTION_TYPES } from "../core/script/script-words.ts";
import type { StoredApp, StoredHook, StoredPlan } from "./stored-plan.ts";

// The whole was read from JSON: what a script's author or a person wrote is any of it.
const Any = z.custom<Json>((value) => value !== undefined);
const Values = z.record(z.string(), Any);
const AnyObject = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
const Texts = z.record(z.string(), z.string());
const Text = z.string();
const MaybeText = z.string().exactOptional();

const StoredQuestion: z.ZodType<Question> = z.looseObject({
  key: Text,
  question: Text,
  description: MaybeText,
  placeholder: MaybeText,
  type: z.enum(QUESTION_TYPES),
  options: z.array(z.looseObject({ text: Text, value: Any })).exactOptional(),
  required: z.boolean(),
  default: Any.exactOptional(),
  installonly: z.boolean(),
  group: MaybeText,
});

const Flow = z.looseObject({
  type: z.literal("pin"),
  pinUrl: Text,
  authUrl: Text,
  pollUrl: Text,
  clientId: Text,
  tokenField: Text,
  headers: Texts,
});

const Input = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("oauth"), id: Text, name: Text, description: MaybeText, provider: Text, flow: Flow }),
  z.looseObject({ type: z.literal("question"), id: Text, question: StoredQuestion }),
]);

const Trigger = z.union([
  z.looseObject({ event: z.literal("userAction") }),
  z.looseObject({ event: z.enum(LIFECYCLE_EVENTS), from: MaybeText, to: MaybeText }),
]);

const Source = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("file"), path: Text }),
  z.looseObject({ kind: z.literal("inline"), content: Text }),
]);

const Consent = z.looseObject({
  label: Text,
  description: MaybeText,
  default: z.boolean(),
  link: z.looseObject({ url: Text, label: Text }).exactOptional(),
});

const Condition = z.looseObject({
  role: z.enum(["visibility", "availability"]),
  type: Text,
  app: MaybeText,
  range: MaybeText,
  capability: MaybeText,
  script: MaybeText,
  entrypoint: MaybeText,
});

const Target = z.looseObject({
  type: z.literal("files"),
  accepts: z.array(Text),
  maxFiles: z.number().exactOptional(),
  requiresTargetMount: z.boolean(),
});

const PlannedHook: z.ZodType<Hook> = z.looseObject({
  id: Text,
  dialect: z.union([z.literal(5), z.literal(6)]),
  title: Text,
  description: MaybeText,
  kind: z.enum(HOOK_KINDS).exactOptional(),
  triggers: z.array(Trigger),
  optional: z.boolean(),
  userOptional: Consent.exactOptional(),
  conditions: z.array(Condition),
  surfaces: z.array(z.enum(SURFACES)),
  inputs: z.array(Input),
  requiresHooks: z.array(Text),
  target: Target.exactOptional(),
  rerun: z.enum(["idempotent", "converge", "refuse"]).exactOptional(),
  source: Source,
  entrypoint: Text,
  timeout: z.number(),
  retries: z.number(),
});

const File = z.looseObject({ path: Text, containerPath: Text.nullable(), name: Text, extension: Text });

const PlanHook: z.ZodType<StoredHook> = z.looseObject({
  appId: Text,
  hook: PlannedHook,
  sha256: Text,
  custom: z.boolean(),
  ports: z.array(z.number()),
  fromVersion: MaybeText,
  toVersion: MaybeText,
  handsOver: z.literal(true).exactOptional(),
  generated: z.array(Text).exactOptional(),
  files: z.array(File).exactOptional(),
});

const Directory = z.looseObject({
  path: Text,
  location: Text,
  root: z.boolean(),
  share: z.boolean(),
  owner: z.looseObject({ user: Text, group: MaybeText }).exactOptional(),
  snapshot: z.looseObject({ id: Text }).exactOptional(),
});

const Rollback = z.looseObject({
  since: z.number(),
  stamp: Text,
  version: Text.exactOptional(),
  app: z.looseObject({ version: Text, from: Text, values: AnyObject, choices: AnyObject }).exactOptional(),
  datasets: z.array(
    z.looseObject({
      dataset: Text,
      path: Text,
      snapshotId: Text,
      from: z.looseObject({ dataset: Text, name: Text }),
    }),
  ),
  withoutSnapshot: z.boolean(),
  changedBy: Text.exactOptional(),
});

const PlanApp: z.ZodType<StoredApp> = z.looseObject({
  appId: Text,
  title: Text,
  instance: Text,
  custom: z.boolean(),
  catalogApp: Text,
  train: Text,
  version: MaybeText,
  scriptVersion: Text,
  metadataVersion: MaybeText,
  fromVersion: MaybeText,
  toVersion: MaybeText,
  appValues: AnyObject,
  keptValues: AnyObject.exactOptional(),
  directories: z.array(Directory),
  locations: Texts,
  answers: Values,
  randoms: Texts,
  passwords: z.array(Text).exactOptional(),
  asked: z.array(Text).exactOptional(),
  ports: z.array(z.number()),
  rollbackOnFailure: z.literal(true).exactOptional(),
  rollback: Rollback.exactOptional(),
  changedBy: Text.nullable().exactOptional(),
  origins: z
    .array(z.looseObject({ field: Text, questions: z.array(Text), open: z.literal(true).exactOptional() }))
    .exactOptional(),
});

/** A stored plan. Members it does not name are kept. */
export const StoredPlanSchema: z.ZodType<StoredPlan> = z.looseObject({
  format: z.literal(1),
  apps: z.record(z.string(), PlanApp),
  hooks: z.record(z.string(), PlanHook),
  secrets: z.array(Text),
});
