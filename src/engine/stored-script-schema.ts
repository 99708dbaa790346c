/** The shape a stored script must have to be worked from: in a plan its hooks, as the last readable one the whole. */
import { z } from "zod";
import type { Json, JsonObject } from "../core/json/json.ts";
import { type Dictionary, type Hook, LIFECYCLE_EVENTS, type Question, SURFACES } from "../core/script/dictionary.ts";
import {
  CONDITION_ROLES,
  HOOK_KINDS,
  LARGE_PLACEMENTS,
  QUESTION_TYPES,
  RERUNS,
  SLOT_TYPES,
  SMALL_PLACEMENTS,
} from "../core/script/script-words.ts";

/** Any JSON value. */
export const Any = z.custom<Json>((value) => value !== undefined);
/** Any JSON object. */
export const AnyObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);
/** Texts by name. */
export const Texts = z.record(z.string(), z.string());
/** Any text. */
export const Text = z.string();
/** A text that may be absent. */
export const MaybeText = z.string().exactOptional();

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
  role: z.enum(CONDITION_ROLES),
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

/** A hook of a script. */
export const StoredHookSchema: z.ZodType<Hook> = z.looseObject({
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
  rerun: z.enum(RERUNS).exactOptional(),
  source: Source,
  entrypoint: Text,
  timeout: z.number(),
  retries: z.number(),
});

const Slots = z.array(z.looseObject({ type: z.enum(SLOT_TYPES), field: Text }));

const Widget = z.looseObject({
  id: Text,
  title: Text,
  description: MaybeText,
  refresh: z.number(),
  conditions: z.array(Condition),
  source: Source,
  entrypoint: Text,
  timeout: z.number(),
  sizes: z
    .looseObject({
      small: z
        .looseObject({
          slots: Slots,
          media: z.looseObject({ placement: z.enum(SMALL_PLACEMENTS), field: Text }).exactOptional(),
        })
        .exactOptional(),
      large: z
        .looseObject({
          slots: Slots,
          media: z.looseObject({ placement: z.enum(LARGE_PLACEMENTS), field: Text }).exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  buttons: z.array(Text),
});

/** A script in its normal form. Members it does not name are kept. */
export const StoredScriptSchema: z.ZodType<Dictionary> = z.looseObject({
  appId: Text,
  version: z.literal([4, 5, 6]),
  custom: z.boolean(),
  internal: z.boolean(),
  metadata: z.looseObject({ name: Text, description: Text, icon: Text, version: Text }).exactOptional(),
  script: z.looseObject({ version: Text, updateCompatibility: MaybeText, changeLog: MaybeText }),
  requirements: z.looseObject({
    locations: z.array(Text),
    specifications: z.array(Text),
    permissions: z.array(Text),
    ports: z.array(z.number()),
  }),
  questions: z.array(StoredQuestion),
  directories: z.array(
    z.looseObject({
      path: Text,
      networkShare: z.boolean(),
      owner: z.looseObject({ user: Text, group: MaybeText }).exactOptional(),
      snapshot: z.looseObject({ id: Text }).exactOptional(),
    }),
  ),
  appValues: AnyObject,
  hooks: z.array(StoredHookSchema),
  widgets: z.array(Widget),
  dropped: z
    .looseObject({ hooks: z.array(z.looseObject({ id: Text, connects: z.boolean() })), widgets: z.number() })
    .exactOptional(),
});
