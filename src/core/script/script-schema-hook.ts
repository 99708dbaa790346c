/** Hooks of both dialects, their conditions and inputs (docs/install-scripts.md, "Hooks"). */
import { z } from "zod";
import { LIFECYCLE_EVENTS, SURFACES } from "./dictionary.ts";
import { Condition } from "./script-schema-condition.ts";
import { HookInput } from "./script-schema-input.ts";
import {
  count,
  defineFilledText,
  defineId,
  defineOneOf,
  defineRange,
  defineScriptPath,
  defineWebAddress,
  EXACTLY_ONE_SOURCE,
} from "./script-schema-parts.ts";
import { HOOK_KINDS, HOOK_RETRIES, HOOK_TIMEOUT, RERUNS } from "./script-words.ts";

const link = () =>
  z
    .strictObject({
      url: defineWebAddress().describe("Fully qualified URL"),
      label: defineFilledText().describe("Link text"),
    })
    .exactOptional()
    .describe("Rendered inline at the end of the description, opens in a new tab");

/** The fields both dialects share. */
const common = {
  id: defineId().describe("Unique within the dictionary"),
  script: defineScriptPath().exactOptional().describe("Path to a .ts file in the catalog repository"),
  scriptContent: z.string().exactOptional().describe("Inline TypeScript"),
  entrypoint: defineFilledText().describe("Name of the exported async function"),
  timeout: z
    .number()
    .gt(0, { error: "a number of seconds above 0" })
    .max(HOOK_TIMEOUT.max, { error: `at most ${HOOK_TIMEOUT.max} seconds` })
    .exactOptional()
    .describe("Maximum execution seconds, default 300"),
  retries: count()
    .max(HOOK_RETRIES.max, { error: `at most ${HOOK_RETRIES.max}` })
    .exactOptional()
    .describe(`Automatic retries on failure, default ${HOOK_RETRIES.default}, at most ${HOOK_RETRIES.max}`),
  inputs: z.array(HookInput).exactOptional().describe("Collected from the user before the hook runs"),
};

/** A lifecycle hook of a version 5 script. */
export const Hook5 = z
  .strictObject({
    ...common,
    event: defineOneOf(LIFECYCLE_EVENTS).describe("The lifecycle event it runs at"),
    description: z.string().exactOptional().describe("Label shown in the activity center"),
    optional: z.boolean().exactOptional().describe("When true, failure does not block the install"),
    condition: z
      .strictObject({
        fromVersionRange: defineRange().exactOptional().describe("Semver range of the version departed"),
        toVersionRange: defineRange().exactOptional().describe("Semver range of the version installed"),
      })
      .exactOptional()
      .describe("Upgrade hooks only: the hook fires only if every specified range matches"),
    userOptional: z
      .strictObject({
        label: defineFilledText().describe("Toggle label"),
        description: z.string().exactOptional().describe("Explanatory text"),
        default: z.boolean().exactOptional().describe("Initial state, default true"),
        link: link(),
      })
      .exactOptional()
      .describe("Consent checkbox in the install dialog; requires an install event"),
  })
  .meta({ id: "Hook5", description: "A lifecycle hook", ...EXACTLY_ONE_SOURCE });

const LifecycleEntry = z
  .strictObject({
    event: defineOneOf(LIFECYCLE_EVENTS).describe("One of the four lifecycle events"),
    from: defineRange().exactOptional().describe("Upgrade events only: semver range of the version departed"),
    to: defineRange().exactOptional().describe("Upgrade events only: semver range of the version installed"),
  })
  .meta({ id: "LifecycleEntry", description: "A lifecycle event, optionally bound to versions" });

const FileTarget = z
  .strictObject({
    type: z.literal("files"),
    accepts: z
      .array(
        z.string().regex(/^\.[^\sA-Z./\\]+(\.[^\sA-Z./\\]+)*$/, {
          error: 'a lowercase extension with a leading dot, such as ".mkv"',
        }),
      )
      .min(1, { error: "at least one extension" })
      .describe("Lowercase extensions with a leading dot; offered only when every selected file matches"),
    maxFiles: z
      .int({ error: "a whole number" })
      .min(1, { error: "a whole number of at least 1" })
      .exactOptional()
      .describe("Maximum files per invocation, default unlimited"),
    requiresTargetMount: z
      .boolean()
      .exactOptional()
      .describe("Default true: a file the app cannot reach makes the hook unavailable"),
  })
  .meta({ id: "FileTarget", description: "Makes the hook appear in the file browser instead of on the app card" });

/** A hook of a version 6 script: lifecycle hook, action, connect hook. */
export const Hook6 = z
  .strictObject({
    ...common,
    title: defineFilledText().describe("Button label, install-picker row, consent checkbox label"),
    description: z.string().exactOptional().describe("Explanatory text; the progress label while running"),
    kind: defineOneOf(HOOK_KINDS).exactOptional().describe("Descriptive only (icons, grouping)"),
    events: z
      .array(z.union([z.enum(["userAction", ...LIFECYCLE_EVENTS]), LifecycleEntry]))
      .meta({ minItems: 1, uniqueItems: true })
      .exactOptional()
      .describe("When it fires; absent means [userAction]"),
    optional: z.boolean().exactOptional().describe("Lifecycle firings only: skip on failure instead of blocking"),
    userOptional: z
      .strictObject({
        description: z.string().exactOptional().describe("Explanatory text; falls back to the hook's description"),
        default: z.boolean().exactOptional().describe("Initial state, default true"),
        link: link(),
      })
      .exactOptional()
      .describe("Consent checkbox in the install dialog; requires an install event"),
    conditions: z.array(Condition).exactOptional().describe("Gates; all of them must pass"),
    surfaces: z
      .array(defineOneOf(SURFACES))
      .meta({ uniqueItems: true })
      .exactOptional()
      .describe("Where it appears; replaces the derived list"),
    requiresHooks: z
      .array(defineFilledText())
      .max(8, { error: "at most 8 hook ids" })
      .meta({ uniqueItems: true })
      .exactOptional()
      .describe("Same-app hook ids whose consent gates this hook and whose inputs carry over"),
    target: FileTarget.exactOptional().describe("User-fired only: works on selected files"),
    rerun: defineOneOf(RERUNS)
      .exactOptional()
      .describe("Required if the hook is user-triggerable, rejected if it is not"),
  })
  .meta({
    id: "Hook6",
    description: "A hook: at lifecycle points, pressed by a person, or both",
    ...EXACTLY_ONE_SOURCE,
  });
