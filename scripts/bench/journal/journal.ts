/**
 * Bench of hook journals: what a journalled call costs beside the same without a journal, how long a run takes to stand
 * where it was, what hooks that wait for a person take. `npm run bench:journal [-- --quick] [calls|runs|held|waiting]`.
 */
import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createRow, type Measured, printTable } from "../measure.ts";
import { benchCalls } from "./calls.ts";
import { benchHeld } from "./held.ts";
import { benchRuns } from "./runs.ts";
import type { Waiting } from "./waiting.ts";

const QUICK = process.argv.includes("--quick");
const HOOKS = 100;

const TABLES = {
  calls: { title: "A call with a journal beside the same without", measure: () => benchCalls(QUICK ? 3 : 15) },
  runs: { title: "A run's start, and its return to where it stood", measure: () => benchRuns(QUICK ? 5 : 25) },
  held: {
    title: "The thread, while a run with 16 MB comes to where it stood",
    measure: () => benchHeld(QUICK ? 2 : 9),
  },
  waiting: { title: `${HOOKS} hooks that wait for a person`, measure: () => benchWaiting(QUICK ? 1 : 5) },
};

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
for (const [name, { title, measure }] of Object.entries(TABLES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const before = loadavg();
  printTable(title, await measure());
  console.log(
    `\nload ${[...before.slice(0, 1), ...loadavg().slice(0, 1)].map((load) => load.toFixed(1)).join(" to ")}`,
  );
}

/** Each engine is a process of its own; pairs of one whose hooks wait and one whose hooks have ended. */
async function benchWaiting(pairs: number): Promise<Measured[]> {
  const waiting: Waiting[] = [];
  const ended: Waiting[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    waiting.push(await openEngine("waits"));
    ended.push(await openEngine("ends"));
  }
  const moreOf = (pick: (engine: Waiting) => number) =>
    waiting.map((engine, at) => pick(engine) - pick(ended[at] ?? engine));
  return [
    createRow(
      "engine, all have ended (PSS)",
      ended.map(({ pssMb }) => pssMb),
      "MB",
    ),
    createRow(
      "engine, all wait (PSS)",
      waiting.map(({ pssMb }) => pssMb),
      "MB",
    ),
    createRow(
      "more of it",
      moreOf(({ pssMb }) => pssMb),
      "MB",
      { target: "20 MB" },
    ),
    createRow(
      "more on its heap",
      moreOf(({ heapMb }) => heapMb),
      "MB",
    ),
    createRow(
      "children",
      waiting.map(({ children }) => children),
      "processes",
      { target: "0" },
    ),
    createRow(
      "press to the task's end",
      waiting.flatMap(({ clickMs }) => clickMs ?? []),
      "ms",
    ),
  ];
}

async function openEngine(kind: "waits" | "ends"): Promise<Waiting> {
  const program = fileURLToPath(new URL("waiting.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program, String(HOOKS), kind]);
  return JSON.parse(stdout);
}
