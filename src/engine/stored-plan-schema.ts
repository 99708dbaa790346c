/** The shape a stored plan must have to be worked from. */
import { z } from "zod";
import type { StoredApp, StoredHook, StoredPlan } from "./stored-plan.ts";
import { Any, AnyObject, MaybeText, StoredHookSchema, Text, Texts } from "./stored-script-schema.ts";

const Values = z.record(z.string(), Any);

const File = z.looseObject({ path: Text, containerPath: Text.nullable(), name: Text, extension: Text });

const PlanHook: z.ZodType<StoredHook> = z.looseObject({
  appId: Text,
  hook: StoredHookSchema,
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
