/**
 * Who changes something. An actor is named by whoever calls the engine; nothing a client sends names one.
 */
import { z } from "zod";
import { isPlainLine } from "../../core/report/plain-text.ts";

/** How somebody came to the engine; `engine` is the engine itself. */
const WAYS = ["page", "CLI", "schedule", "API", "engine"] as const;

/** One line of a log or a list: it can't be taken for two, and turns no direction. */
const Line = z.string().min(1).max(200).refine(isPlainLine, "allowed is text of one line without control characters");

/** Whoever changes something. */
export const Actor = z
  .strictObject({
    id: Line.meta({ description: "The same for the same one, whatever the name: an account, say" }),
    name: Line.meta({ description: "As people are shown it" }),
    how: z.enum(WAYS),
  })
  .readonly()
  .meta({ id: "Actor" });
export type Actor = z.infer<typeof Actor>;

/** A call of which the caller does not say who it is for. */
export const UNNAMED: Actor = { id: "unnamed", name: "unnamed", how: "API" };

/** What is decided by nobody but the engine. */
export const ENGINE: Actor = { id: "engine", name: "the engine", how: "engine" };
