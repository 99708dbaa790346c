/** Cron expressions of five fields: when they come, in a time zone with its changes of the clock. Times are UTC ms. */
import { Cron } from "croner";
import { readMessage } from "../json/read-message.ts";

/** A cron expression that can't be used. */
export interface CronFault {
  readonly message: string;
  /** Where in the expression, in characters from its start. */
  readonly position: number;
}

const SECOND_MS = 1000;

/** In their order in an expression. */
const FIELDS = ["minute", "hour", "day of the month", "month", "day of the week"] as const;

/** Says what is wrong with an expression and where; null where it is right and comes at some time. */
export function findCronFault(expression: string): CronFault | null {
  const fields = [...expression.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, position: index }));
  if (fields.length !== FIELDS.length) {
    const message = `it has ${fields.length} fields, not five: ${FIELDS.join(", ")}`;
    return { message, position: fields[FIELDS.length]?.position ?? expression.length };
  }
  for (const [at, { text, position }] of fields.entries()) {
    const reason = explainFault(FIELDS.map((_, other) => (other === at ? text : "*")).join(" "));
    if (reason !== null) return { message: `${FIELDS[at]}: ${reason}`, position };
  }
  if (findNextTime(expression, "UTC", 0) !== null) return null;
  return { message: "no such day ever comes", position: fields[2]?.position ?? 0 };
}

function explainFault(expression: string): string | null {
  try {
    open(expression, "UTC");
    return null;
  } catch (error) {
    return readMessage(error).replace(/^CronPattern: /, "");
  }
}

/** The newest time at or before a moment; null where there was none. */
export function findLastTime(expression: string, timeZone: string, until: number): number | null {
  // What the library looks back from does not count itself; it thinks in seconds, and takes the next of a part of one.
  const nextSecond = Math.floor(until / SECOND_MS) * SECOND_MS + SECOND_MS;
  const [last] = open(expression, timeZone).previousRuns(1, new Date(nextSecond));
  return last?.getTime() ?? null;
}

/** The first time after a moment; null where there is none. */
export function findNextTime(expression: string, timeZone: string, after: number): number | null {
  return open(expression, timeZone).nextRun(new Date(after))?.getTime() ?? null;
}

function open(expression: string, timezone: string): Cron {
  return new Cron(expression, { timezone, mode: "5-part" });
}
