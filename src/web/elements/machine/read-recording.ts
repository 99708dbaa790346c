/** Recordings as `npm run record` writes them, opened from a file of anybody's: checked and bounded before they are drawn. */
import type { Chart } from "./chart.ts";
import type { Charts } from "./charts.ts";
import { findStates } from "./find-way.ts";
import type { WayEntry } from "./follow-way.ts";

/** Bytes of a file, lines of it, and states inside states. */
export const RECORDING_LIMITS = { bytes: 4 * 1024 * 1024, lines: 5000, depth: 8 } as const;

export interface Recording {
  readonly name: string;
  /** Id of its machine. */
  readonly machine: string;
  /** The version it was made with; absent where the file's name does not say. */
  readonly version?: number;
  readonly entries: readonly WayEntry[];
}

/** Why a file is not drawn; `line` counts from 1. */
export interface RecordingFault {
  readonly fault:
    | "tooLarge"
    | "tooLong"
    | "empty"
    | "notJson"
    | "notAStep"
    | "unknownStates"
    | "otherMachine"
    | "unreadable";
  readonly line?: number;
}

interface Step {
  readonly cause: string;
  readonly leaf: string;
}

/** Reads the text of a file as the way of one of the machines; its name says machine and version where it is `<machine>-v<version>-<case>.jsonl`. */
export function readRecording(name: string, text: string, charts: Charts): Recording | RecordingFault {
  if (text.length > RECORDING_LIMITS.bytes) return { fault: "tooLarge" };
  const lines = text.split("\n", RECORDING_LIMITS.lines + 2).filter((line) => line.trim() !== "");
  if (lines.length > RECORDING_LIMITS.lines) return { fault: "tooLong" };
  if (lines.length === 0) return { fault: "empty" };
  const steps: Step[] = [];
  for (const [index, line] of lines.entries()) {
    const step = readStep(line);
    if ("fault" in step) return { ...step, line: index + 1 };
    steps.push(step);
  }
  const [, named, version] = /^([a-z-]+)-v(\d{1,6})-[a-z0-9-]+\.jsonl$/.exec(name) ?? [];
  const machine = findMachine(steps, named, charts);
  if (machine === undefined) return { fault: "unknownStates" };
  if (named !== undefined && charts.has(named) && machine !== named) return { fault: "otherMachine" };
  const entries = listEntries(charts.get(machine), steps);
  return { name, machine, entries, ...(named === machine && { version: Number(version) }) };
}

function readStep(line: string): Step | RecordingFault {
  let step: unknown;
  try {
    step = JSON.parse(line);
  } catch {
    return { fault: "notJson" };
  }
  const cause = read(read(step, "event"), "type");
  const leaf = readLeaf(read(read(step, "snapshot"), "value"));
  if (typeof cause !== "string" || cause.length > 300 || leaf === undefined) return { fault: "notAStep" };
  return { cause, leaf };
}

function read(value: unknown, key: "event" | "type" | "snapshot" | "value"): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}

/** The innermost state of a state value as xstate stores it. */
function readLeaf(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > RECORDING_LIMITS.depth) return undefined;
  const [only, ...others] = Object.entries(value);
  if (only === undefined || others.length > 0) return undefined;
  const inside = readLeaf(only[1], depth + 1);
  return inside === undefined ? undefined : `${only[0]}.${inside}`;
}

/** The machine all of whose states these are: the one that is named, else the first that fits. */
function findMachine(steps: readonly Step[], named: string | undefined, charts: Charts): string | undefined {
  const leaves = new Set(steps.map(({ leaf }) => leaf));
  const fitting = [...charts].flatMap(([id, { states }]) => {
    const known = new Set(states.map(({ path }) => path));
    return [...leaves].every((leaf) => known.has(leaf)) ? [id] : [];
  });
  return fitting.find((id) => id === named) ?? fitting[0];
}

function listEntries(chart: Chart | undefined, steps: readonly Step[]): readonly WayEntry[] {
  let at: string | null = null;
  return steps.map(({ cause, leaf }, index) => {
    const states: readonly string[] | null = chart === undefined ? null : findStates(chart, at, cause, leaf);
    at = leaf;
    return { seq: index + 1, cause, states: states ?? [leaf] };
  });
}
