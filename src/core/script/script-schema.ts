/**
 * The install script as a schema: the one source of its field tables. The rules judge its issues, and
 * `slipway schema` prints it as JSON Schema. It is strict: what is only tolerated is an issue here,
 * and a row of the rule table says how it is taken.
 */
import { z } from "zod";
import { Hook5, Hook6 } from "./script-schema-hook.ts";
import { defineFilledText, defineOneOf, defineRange, defineVersion } from "./script-schema-parts.ts";
import { InstallationQuestion } from "./script-schema-question.ts";
import { Widget } from "./script-schema-widget.ts";
import { LOCATIONS, PERMISSIONS, SPECIFICATIONS } from "./script-words.ts";

const Metadata = z
  .strictObject({
    name: defineFilledText().describe("Display name in the app store"),
    description: defineFilledText().describe("Brief description"),
    icon: defineFilledText().describe(
      "URL of an SVG or PNG icon, or its path in the catalog; an SVG that moves, has markers, dashes or CSS filters, or holds other documents is not shown",
    ),
    version: defineVersion().describe("Semantic version of the custom app"),
    categories: z.unknown().exactOptional().describe("Accepted, not used"),
    keywords: z.unknown().exactOptional().describe("Accepted, not used"),
    screenshots: z.unknown().exactOptional().describe("Accepted, not used"),
  })
  .meta({ id: "Metadata", description: "How a custom app appears in the app store" });

const ScriptVersion = z
  .strictObject({
    version: defineVersion().describe("Semantic version of the script"),
    updateCompatibility: defineRange()
      .exactOptional()
      .describe("Semver range naming which earlier script versions may update to this one"),
    changeLog: z.string().exactOptional().describe("Description of changes"),
  })
  .meta({ id: "ScriptVersion", description: "The script's own version" });

const Requirements = z
  .strictObject({
    locations: z
      .array(defineOneOf(LOCATIONS))
      .exactOptional()
      .describe("Folder locations that must be configured in the platform's Locations settings"),
    specifications: z
      .array(defineOneOf(SPECIFICATIONS))
      .exactOptional()
      .describe("Minimum storage space, CPU cores, or a GPU"),
    permissions: z.array(defineOneOf(PERMISSIONS)).exactOptional().describe("Special permissions"),
    ports: z
      .array(
        z
          .int({ error: "a port number from 1 to 65535" })
          .min(1, { error: "a port number from 1 to 65535" })
          .max(65535, { error: "a port number from 1 to 65535" }),
      )
      .exactOptional()
      .describe("Network ports the app uses"),
  })
  .meta({ id: "Requirements", description: "Validated before installation" });

const DirectoryEntry = z
  .strictObject({
    path: defineFilledText().describe("Directory path, typically with $LOCATION()"),
    network_share: z.boolean().exactOptional().describe("Whether to expose as a network share"),
    owner: z
      .strictObject({
        user: defineFilledText().describe("Host user name"),
        group: defineFilledText()
          .exactOptional()
          .describe("Host group name; without it the user's default group applies"),
      })
      .exactOptional()
      .describe("Owner of the directory, repaired after updates"),
    snapshot: z
      .strictObject({ id: defineFilledText().describe("Part of the snapshot's name") })
      .exactOptional()
      .describe("When present, the dataset is snapshotted before app updates"),
  })
  .meta({ id: "DirectoryEntry", description: "A directory created before install" });

const common = {
  $schema: z.string().exactOptional().describe("Where this schema lies, for editors"),
  custom: z.boolean().exactOptional().describe("true marks a community/custom app not in the default host catalog"),
  internal: z.boolean().exactOptional().describe("true marks dev/test apps; hidden in production"),
  metadata: Metadata.exactOptional().describe("Required if custom is true"),
  script: ScriptVersion.describe("The script's own version"),
  requirements: Requirements.describe("Validated before installation"),
  installation_questions: z.array(InstallationQuestion).exactOptional().describe("Questions asked during install"),
  ensure_directories_exists: z
    .array(DirectoryEntry)
    .exactOptional()
    .describe("Directory entries created before install"),
  app_values: z.record(z.string(), z.unknown()).describe("Passed to the host system's app API, macros replaced"),
};

/** A custom app has metadata, for the JSON Schema; in the parser it is a rule of its own. */
const CUSTOM_HAS_METADATA = {
  if: { properties: { custom: { const: true } }, required: ["custom"] },
  // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
  then: { required: ["metadata"], properties: { metadata: {} } },
};

/** A version 4 script: neither hooks nor widgets. */
const Script4 = z
  .strictObject({ version: z.literal(4).describe("4: neither hooks nor widgets"), ...common })
  .meta({ id: "Script4", description: "An install script of version 4", ...CUSTOM_HAS_METADATA });

/** A version 5 script: lifecycle hooks only. */
const Script5 = z
  .strictObject({
    version: z.literal(5).describe("5: lifecycle hooks only"),
    ...common,
    hooks: z.array(Hook5).exactOptional().describe("Lifecycle hooks"),
  })
  .meta({ id: "Script5", description: "An install script of version 5", ...CUSTOM_HAS_METADATA });

/** A version 6 script: hooks with user actions, and widgets. */
const Script6 = z
  .strictObject({
    version: z.literal(6).describe("6: hooks with user actions, widgets"),
    ...common,
    hooks: z.array(Hook6).exactOptional().describe("Hooks and actions"),
    widgetsSchema: z.literal(2).exactOptional().describe("Must be 2; any other value means no widget is read"),
    widgets: z.array(Widget).exactOptional().describe("Dashboard tiles; requires widgetsSchema"),
  })
  .meta({
    id: "Script6",
    description: "An install script of version 6",
    ...CUSTOM_HAS_METADATA,
    dependentRequired: { widgets: ["widgetsSchema"] },
  });

/** The schema of each version. */
export const SCRIPT_SCHEMAS = { 4: Script4, 5: Script5, 6: Script6 } as const;

/** An install script as its author writes it, without anything that is only tolerated. */
export type InstallScript = z.infer<typeof Script4> | z.infer<typeof Script5> | z.infer<typeof Script6>;
