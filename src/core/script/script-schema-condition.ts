/** Gates of hooks and widgets (docs/install-scripts.md, "Conditions"). */
import { z } from "zod";
import { defineFilledText, defineOneOf, defineRange, defineScriptPath } from "./script-schema-parts.ts";
import { CONDITION_ROLES } from "./script-words.ts";

const defineRole = () =>
  defineOneOf(CONDITION_ROLES).describe(
    "visibility: failure hides entirely; availability: failure shows it disabled with a reason",
  );
const defineApp = () => defineFilledText().describe("The catalog app id");

/** Members of a condition of any type. */
export const ConditionRole = z.looseObject({ role: defineRole() });

/** A gate of a hook or widget; all of them must pass. */
export const Condition = z
  .discriminatedUnion("type", [
    z.strictObject({ role: defineRole(), type: z.literal("appInstalled"), app: defineApp() }),
    z.strictObject({ role: defineRole(), type: z.literal("appRunning"), app: defineApp() }),
    z.strictObject({
      role: defineRole(),
      type: z.literal("appVersion"),
      app: defineApp(),
      range: defineRange().describe("Passes when the installed version satisfies this semver range"),
    }),
    z.strictObject({
      role: defineRole(),
      type: z.literal("capabilityPresent"),
      capability: defineFilledText().describe("Passes when the capability is present"),
    }),
    z.strictObject({
      role: defineRole(),
      type: z.literal("script"),
      script: defineScriptPath().describe("A local-side script predicate"),
      entrypoint: defineFilledText().exactOptional().describe("Exported function name"),
    }),
  ])
  .meta({ id: "Condition", description: "A gate; only appInstalled and appRunning are evaluated today" });
