/**
 * The machines' paths on the whole engine: every place a task can come to in life is gone to through `createEngine` with
 * a scripted host, and is there the same as the machine alone comes to. What the walks of the machine reach beyond that
 * is listed with its reason.
 */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { machines } from "../../machines/index.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { createLifePlayer, type LifePlayer, TICKS } from "../support/paths/engine-path-player.ts";
import { SCENES, type Scene, type SceneEvent } from "./machine-cases.ts";
import { LIFE_STAGES } from "./path-setups.ts";
import { askedBy, firstStranger, type LifePath, longestPaths, REPLAYED, walkLife } from "./reachable-paths.ts";
import { walk } from "./shortest-paths.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const PATIENCE_MS = 120_000;

function registeredOf({ machine }: Scene): RegisteredMachine {
  const registered = registry[machine.id];
  if (registered === undefined) throw new Error(`no machine "${machine.id}"`);
  return registered;
}

function isSameEvent(wanted: SceneEvent, found: { readonly type: string; readonly [key: string]: unknown }): boolean {
  return wanted.type === found.type && (wanted["from"] === undefined || wanted["from"] === found["from"]);
}

/** The inputs that are given with the request, so that only those are missing which the path finds missing. */
function givenAtStart(path: LifePath): readonly string[] {
  const asked = path.steps.map(({ event }) => askedBy(event)).find((missing) => missing !== null);
  return asked === undefined ? [] : ["name", "token"].filter((id) => !asked.includes(id));
}

/** Plays a path and tells where the engine went another way; null where it went the same. */
async function play(deps: Scene, path: LifePath): Promise<string | null> {
  const stage = LIFE_STAGES[deps.name];
  if (stage === undefined) throw new Error(`no stage for "${deps.name}"`);
  const player = await createLifePlayer(stage, registeredOf(deps), givenAtStart(path));
  try {
    let taken = await reaches(deps, player, 0, (_, snapshot) => snapshot === path.start);
    for (const [at, { event, same }] of path.steps.entries()) {
      if (taken === null) return `at ${at}: ${JSON.stringify(player.turns().at(-1))}`;
      await player.happen(event);
      taken = await reaches(deps, player, taken, (found, snapshot) => isSameEvent(event, found) && snapshot === same);
    }
    const stray = player.turns().find(({ isAsStored }) => !isAsStored);
    if (stray !== undefined) return `stored otherwise: ${JSON.stringify(stray)}`;
    return taken === null ? `at the end: ${JSON.stringify(player.turns().slice(-3))}` : null;
  } catch (error) {
    return String(error);
  } finally {
    await player.close();
  }
}

/** Waits for the turn that comes next and counts; turns that change nothing of note come between. Null when another does. */
async function reaches(
  deps: Scene,
  player: LifePlayer,
  from: number,
  counts: (event: SceneEvent, same: string) => boolean,
): Promise<number | null> {
  const sameOf = (at: number) => {
    const snapshot = player.turns()[at]?.snapshot;
    return deps.same(deps.machine.restoreSnapshot(snapshot as never, {} as never) as AnyMachineSnapshot);
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

function textOf(events: readonly SceneEvent[]): string {
  return events
    .map((event) => [event.type, event["from"], askedBy(event)?.join("+")].filter(Boolean).join(":"))
    .join(" > ");
}

/**
 * Why callers, host and clock can't bring an engine to the end of a walked path, by the first event of it that does not
 * come there; the first row that fits tells. The runtime plays these paths (engine-paths.test.ts).
 */
const NOT_IN_LIFE: readonly { readonly reason: string; readonly event: RegExp }[] = [
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
  {
    reason: "the engine is not started again in the middle of a run, nor does a run outgrow what is recorded of it",
    event: REPLAYED,
  },
  { reason: "a script says nothing before its run has begun", event: /^(script|run)\./ },
  { reason: "children that are told to end have ended before a person can insist", event: /^user\./ },
];

const reasonOf = (type: string) => NOT_IN_LIFE.find(({ event }) => event.test(type))?.reason;

/** Of the walked paths that lead where no path of life leads, the first event that does not come. */
function beyondLife(deps: Scene): readonly string[] {
  const places = new Set(walkLife(deps).flatMap(({ start, steps }) => [start, ...steps.map(({ same }) => same)]));
  const beyond = walk(deps).filter(({ end }) => !places.has(deps.same(end)));
  return beyond.map(({ events }) => firstStranger(deps, events)?.type ?? `all of ${textOf(events)}`);
}

describe.each(SCENES)("$name on the engine", (deps) => {
  it(
    "comes to every place it can come to in life, as the machine alone does",
    async () => {
      const strays: string[] = [];
      for (const path of longestPaths(walkLife(deps))) {
        const stray = await play(deps, path);
        if (stray !== null) strays.push(`${textOf(path.steps.map(({ event }) => event))}\n  ${stray.slice(0, 600)}`);
      }
      expect(strays.join("\n")).toBe("");
    },
    PATIENCE_MS,
  );
});

describe("walked paths that are left to the runtime", () => {
  const left = SCENES.map((deps) => ({ deps: deps.name, strangers: beyondLife(deps) }));

  it("are as many as not-in-life.md says, each with its reason", async () => {
    const tables = left
      .filter(({ strangers }) => strangers.length > 0)
      .map(({ deps, strangers }) => {
        const reasons = Map.groupBy(strangers, (type) => reasonOf(type) ?? "NO REASON");
        const rows = [...reasons].map(([reason, paths]) => `- ${paths.length}: ${reason}`);
        return `## ${deps}\n\n${rows.sort().join("\n")}\n`;
      });
    const title = "# Paths of the machines that nothing in life takes (reachable-paths.test.ts)";
    expect(left.flatMap(({ strangers }) => strangers).filter((type) => reasonOf(type) === undefined)).toEqual([]);
    await expect([title, ...tables].join("\n\n")).toMatchFileSnapshot("./not-in-life.md");
  });

  it.each(NOT_IN_LIFE)("some because $reason", ({ reason }) => {
    expect(left.flatMap(({ strangers }) => strangers).some((type) => reasonOf(type) === reason)).toBe(true);
  });
});
