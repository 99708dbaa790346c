/**
 * The machines' paths on the whole engine: every place callers, host and clock can bring a task to is gone to through
 * `createEngine` with a scripted host, and is there the same as the machine alone comes to. What the shortest paths of
 * the machine reach beyond that is listed with its reason.
 */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { machines } from "../../machines/index.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { createEnginePathPlayer, type EnginePathPlayer, TICKS } from "../support/paths/engine-path-player.ts";
import { type CaseEvent, MACHINE_CASES, type MachineCase } from "./machine-cases.ts";
import { PATH_SETUPS } from "./path-setups.ts";
import {
  askedBy,
  findFirstUnreachable,
  findReachablePaths,
  longestPaths,
  type ReachablePath,
} from "./reachable-paths.ts";
import { findShortestPaths } from "./shortest-paths.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const TIMEOUT_MS = 120_000;

function registeredOf({ machine }: MachineCase): RegisteredMachine {
  const registered = registry[machine.id];
  if (registered === undefined) throw new Error(`no machine "${machine.id}"`);
  return registered;
}

function isSameEvent(wanted: CaseEvent, found: { readonly type: string; readonly [key: string]: unknown }): boolean {
  return wanted.type === found.type && (wanted["from"] === undefined || wanted["from"] === found["from"]);
}

/** The inputs that are given with the request, so that only those are missing which the path finds missing. */
function givenAtStart(path: ReachablePath): readonly string[] {
  const asked = path.steps.map(({ event }) => askedBy(event)).find((missing) => missing !== null);
  return asked === undefined ? [] : ["name", "token"].filter((id) => !asked.includes(id));
}

/** Plays a path and tells where the engine went another way; null where it went the same. */
async function play(machineCase: MachineCase, path: ReachablePath): Promise<string | null> {
  const setup = PATH_SETUPS[machineCase.name];
  if (setup === undefined) throw new Error(`no setup for "${machineCase.name}"`);
  const player = await createEnginePathPlayer(setup, registeredOf(machineCase), givenAtStart(path));
  try {
    let taken = await reaches(machineCase, player, 0, (_, snapshot) => snapshot === path.start);
    for (const [at, { event, same }] of path.steps.entries()) {
      if (taken === null) return `at ${at}: ${JSON.stringify(player.turns().at(-1))}`;
      await player.happen(event);
      taken = await reaches(
        machineCase,
        player,
        taken,
        (found, snapshot) => isSameEvent(event, found) && snapshot === same,
      );
    }
    const deviation = player.turns().find(({ isAsStored }) => !isAsStored);
    if (deviation !== undefined) return `stored otherwise: ${JSON.stringify(deviation)}`;
    return taken === null ? `at the end: ${JSON.stringify(player.turns().slice(-3))}` : null;
  } catch (error) {
    return String(error);
  } finally {
    await player.close();
  }
}

/** Waits for the turn that comes next and counts; turns that change nothing of note come between. Null when another does. */
async function reaches(
  machineCase: MachineCase,
  player: EnginePathPlayer,
  from: number,
  counts: (event: CaseEvent, same: string) => boolean,
): Promise<number | null> {
  const sameOf = (at: number) => {
    const snapshot = player.turns()[at]?.snapshot;
    return machineCase.same(machineCase.machine.restoreSnapshot(snapshot as never, {} as never) as AnyMachineSnapshot);
  };
  for (let at = from, tick = 0; tick < TICKS; tick += 1) {
    for (let turn = player.turns()[at]; turn !== undefined; turn = player.turns()[at]) {
      const same = sameOf(at);
      if (counts(turn.event, same)) return at + 1;
      if (at > 0 && same !== sameOf(at - 1)) return null;
      at += 1;
    }
    await setImmediate();
  }
  return null;
}

function textOf(events: readonly CaseEvent[]): string {
  return events
    .map((event) => [event.type, event["from"], askedBy(event)?.join("+")].filter(Boolean).join(":"))
    .join(" > ");
}

/**
 * Why callers, host and clock can't bring an engine to the end of a shortest path, by the first event of it that does
 * not come there; the first row that fits tells. The runtime plays these paths (engine-paths.test.ts).
 */
const UNREACHABLE: readonly { readonly reason: string; readonly event: RegExp }[] = [
  {
    reason:
      "five processes have to die in a row, or the database has to be rolled back (test/engine/runtime/recovery.test.ts)",
    event: /^engine\./,
  },
  { reason: "no such call is with the host there", event: /^(host|app|conditions)\./ },
  {
    reason: "a child asks, goes on or is gone only while it has its turn (test/engine/runtime/runtime.test.ts)",
    event: /^child\./,
  },
  { reason: "a script says nothing before its run has begun", event: /^(script|run)\./ },
  { reason: "inputs that were given are not asked for again", event: /^inputs\./ },
  { reason: "children that are told to end have ended before a person can insist", event: /^user\./ },
];

const reasonOf = (type: string) => UNREACHABLE.find(({ event }) => event.test(type))?.reason;

/** Of the shortest paths that lead where no reachable path leads, the first event that does not come. */
function listUnreachable(machineCase: MachineCase): readonly string[] {
  const places = new Set(
    findReachablePaths(machineCase).flatMap(({ start, steps }) => [start, ...steps.map(({ same }) => same)]),
  );
  const beyond = findShortestPaths(machineCase).filter(({ end }) => !places.has(machineCase.same(end)));
  return beyond.map(({ events }) => findFirstUnreachable(machineCase, events)?.type ?? `all of ${textOf(events)}`);
}

describe.each(MACHINE_CASES)("$name on the engine", (machineCase) => {
  it(
    "comes to every reachable place, as the machine alone does",
    async () => {
      const deviations: string[] = [];
      for (const path of longestPaths(findReachablePaths(machineCase))) {
        const deviation = await play(machineCase, path);
        if (deviation !== null)
          deviations.push(`${textOf(path.steps.map(({ event }) => event))}\n  ${deviation.slice(0, 600)}`);
      }
      expect(deviations.join("\n")).toBe("");
    },
    TIMEOUT_MS,
  );
});

describe("shortest paths that are left to the runtime", () => {
  const left = MACHINE_CASES.map((machineCase) => ({
    name: machineCase.name,
    unreachable: listUnreachable(machineCase),
  }));

  it("are as many as not-in-life.md says, each with its reason", async () => {
    const tables = left
      .filter(({ unreachable }) => unreachable.length > 0)
      .map(({ name, unreachable }) => {
        const reasons = Map.groupBy(unreachable, (type) => reasonOf(type) ?? "NO REASON");
        const rows = [...reasons].map(([reason, paths]) => `- ${paths.length}: ${reason}`);
        return `## ${name}\n\n${rows.sort().join("\n")}\n`;
      });
    const title = "# Paths of the machines that nothing in life takes (reachable-paths.test.ts)";
    expect(left.flatMap(({ unreachable }) => unreachable).filter((type) => reasonOf(type) === undefined)).toEqual([]);
    await expect([title, ...tables].join("\n\n")).toMatchFileSnapshot("./not-in-life.md");
  });

  it.each(UNREACHABLE)("some because $reason", ({ reason }) => {
    expect(left.flatMap(({ unreachable }) => unreachable).some((type) => reasonOf(type) === reason)).toBe(true);
  });
});
