import { z } from "zod";

const Answer = z.strictObject({
  /** Default: any. */
  method: z.string().exactOptional(),
  /**
   * Of the app, e.g. `/api/status`, or a whole address, which only a script at the workbench can ask for. A `*` at its end
   * takes every longer one; a query counts where it is written.
   */
  path: z.string().regex(/^(\/|https?:\/\/)/, "allowed is a path, or a whole http(s) address"),
  /** Default 200. */
  status: z.int().min(200).max(599).exactOptional(),
  /** Several values stand each in a line of its own, as of `Set-Cookie`. */
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1)])).exactOptional(),
  /** Text as it is, anything else as JSON; default empty. */
  body: z.json().exactOptional(),
  /** ms before the answer, not divided by the speed; default 0. */
  delayMs: z.int().min(0).exactOptional(),
  /** How many requests it answers before the next matching row takes over; default: all. */
  times: z.int().min(1).exactOptional(),
});
/** One row of an app's table: what it answers to which request. */
export type AppAnswer = z.infer<typeof Answer>;

/** A table with all there is to say. */
export const WholeTable = z.strictObject({
  /** ms from the start of the containers until they are healthy; connections are cut meanwhile. Default 350. */
  startMs: z.int().min(0).exactOptional(),
  /** ms after that in which every request gets 503 although the app is RUNNING. Default 0. */
  warmMs: z.int().min(0).exactOptional(),
  answers: z.array(Answer).default([]),
});
/** How one app's HTTP server behaves. Its durations are divided by the stand-in's speed. */
export type AppAnswers = z.input<typeof WholeTable>;

/** A table with nothing left out but the times that are the default's. */
export type AppTable = z.output<typeof WholeTable>;

/** A table file, of `standin/`, `--answers` and `run-hook --answers-http` alike: the rows alone, or the rows with start-up times. */
export const AppAnswersFile = z.union([z.array(Answer).transform((answers): AppTable => ({ answers })), WholeTable]);

/** Of an app without a table. */
export const NO_TABLE: AppTable = { answers: [] };

/** ms until an app without a table of its own is healthy, at speed 1. */
export const DEFAULT_START_MS = 350;

/**
 * The first row that answers a request, by path and query or by whole address; `used` counts the requests each row has
 * answered, `wholeOf` makes a row's path comparable with the request's.
 */
export function findAnswer(
  answers: readonly AppAnswer[],
  request: { readonly method: string; readonly path: string },
  used: ReadonlyMap<AppAnswer, number>,
  wholeOf = (path: string) => path,
): AppAnswer | undefined {
  return answers.find(
    (row) =>
      (row.method === undefined || row.method.toUpperCase() === request.method.toUpperCase()) &&
      matchesPath(wholeOf(row.path), request.path) &&
      (row.times === undefined || (used.get(row) ?? 0) < row.times),
  );
}

function matchesPath(pattern: string, asked: string): boolean {
  const path = pattern.includes("?") ? asked : (asked.split("?")[0] ?? asked);
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}
