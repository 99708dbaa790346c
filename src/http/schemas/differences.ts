import { z } from "zod";
import { LIFECYCLE_EVENTS } from "../../core/script/dictionary.ts";
import { JsonValue, Path } from "./parts.ts";

/** A hook that runs. */
export const FiringHook = z.object({
  id: z.string(),
  title: z.string(),
  event: z.enum(LIFECYCLE_EVENTS),
  optional: z.boolean(),
});

/** Versions, the newest first, and what is written about each. */
export const Changelog = z
  .array(
    z.object({
      version: z.string().optional().meta({ description: "Of the host's package, of a custom app of its metadata" }),
      scriptVersion: z.string().optional(),
      notes: z.string().optional().meta({ description: "As the host or the author wrote it" }),
    }),
  )
  .readonly();

/** Where an upgrade leads, and where else it could. */
export const Move = z.object({
  from: z.string().optional().meta({ description: "Of the host's package, of a custom app of its metadata" }),
  to: z.string(),
  versions: z
    .array(z.string())
    .readonly()
    .meta({ description: "Every version the app can be upgraded to, the newest first" }),
  changelog: Changelog.meta({ description: "The versions after `from` up to `to`, the newest first" }),
});

/** The changes an update or upgrade makes, secrets masked. */
export const Differences = z.object({
  differences: z
    .array(
      z.object({
        path: Path,
        kind: z.enum(["added", "changed"]),
        before: JsonValue.optional(),
        after: JsonValue,
      }),
    )
    .readonly()
    .optional()
    .meta({ description: "Values of the live configuration that would be others" }),
  answerDifferences: z
    .array(
      z.object({
        key: z.string(),
        question: z.string(),
        kind: z.enum(["added", "changed", "removed"]),
        before: JsonValue.optional(),
        after: JsonValue.optional(),
      }),
    )
    .readonly()
    .optional()
    .meta({ description: "Answers that would be others than the stored ones; passwords without their values" }),
});
