/** The way of a machine on its drawing, against what xstate itself says of the recordings of every machine. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { machines } from "../../../machines/index.ts";
import { checkRecording, type RecordedStep, record } from "../../../src/engine/replay/recording.ts";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { explainStates } from "../../../src/web/elements/machine/find-way.ts";
import { followWay, nameLine } from "../../../src/web/elements/machine/follow-way.ts";
import { readRecording } from "../../../src/web/elements/machine/read-recording.ts";
import { charts } from "../support/drawn-machines.ts";
import { enterStates, readLeaf } from "../support/entered-states.ts";

const FOLDER = fileURLToPath(new URL("../../replay/recordings/", import.meta.url));
const files = readdirSync(FOLDER).filter((file) => file.endsWith(".jsonl"));
const registry: Readonly<Record<string, RegisteredMachine>> = machines;

describe("a recording on its drawing", () => {
  test("of every machine there is one", () => {
    const named = files.map((file) => readRecording(file, readFileSync(`${FOLDER}${file}`, "utf8"), charts));
    expect(new Set(named.map((each) => ("fault" in each ? each.fault : each.machine)))).toEqual(new Set(charts.keys()));
  });

  test.each(files)("passes the states of %s as xstate does, along lines that are drawn", (file) => {
    const text = readFileSync(`${FOLDER}${file}`, "utf8");
    const recording = readRecording(file, text, charts);
    if ("fault" in recording) throw new Error(recording.fault);
    const registered = registry[recording.machine];
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    const chart = charts.get(recording.machine);
    if (registered === undefined || chart === undefined) throw new Error("no such machine");
    expect(recording.entries.map(({ states }) => states)).toEqual(enterStates(registered, events));

    const last = recording.entries.length - 1;
    const { present, orders, lines } = followWay(chart, recording.entries, last);
    const passed = recording.entries.flatMap(({ states = [] }) => states);
    expect(present).toBe(passed.at(-1));
    expect(new Set(orders.keys())).toEqual(new Set(passed));
    expect([...orders.values()].flat().toSorted((a, b) => a - b)).toEqual(passed.map((_, index) => index + 1));
    const drawn = new Set(chart.edges.map(nameLine));
    expect([...lines].filter((line) => !drawn.has(line))).toEqual([]);
    // Every state but the first was come to along a line.
    let at: string | null = null;
    for (const { cause, states = [] } of recording.entries) {
      const hops = explainStates(chart, at, cause, states);
      expect(hops.map(({ leaf }) => leaf)).toEqual(at === null ? states.slice(1) : states);
      at = states.at(-1) ?? at;
    }
  });
});

describe("every step of a recording on its drawing", () => {
  test.each(Object.values(registry))("ends where a replay of $id does", (registered) => {
    const chart = charts.get(registered.id);
    const own = files.filter((file) => file.startsWith(`${registered.id}-v${registered.version}-`));
    expect(own.length).toBeGreaterThan(0);
    for (const file of own) {
      const text = readFileSync(`${FOLDER}${file}`, "utf8");
      const recording = readRecording(file, text, charts);
      if ("fault" in recording || chart === undefined) throw new Error(`${file} is not drawn`);
      const steps: readonly RecordedStep[] = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(checkRecording(registered, registered.version, steps)).toBeNull();
      const replayed = record(
        registered,
        steps.map(({ event }) => event),
      );
      const drawn = replayed.map((_, index) => followWay(chart, recording.entries, index).present);
      expect(drawn).toEqual(replayed.map(({ snapshot }) => readLeaf(Object(snapshot).value)));
    }
  });
});

describe("the marks of a way", () => {
  const chart = charts.get("checkpoint");
  const entries = [
    { seq: 1, at: "2026-01-01T00:00:00.000Z", cause: "xstate.init", states: ["REGISTERED"] },
    { seq: 5, at: "2026-01-01T00:00:01.000Z", cause: "script.failed", states: ["FAILED"] },
    { seq: 6, at: "2026-01-01T00:00:02.000Z", cause: "user.dismiss", reason: "not taken" },
    { seq: 9, at: "2026-01-01T00:00:03.000Z", cause: "user.retry", states: ["REGISTERED"] },
  ];

  test("are those of the entry that is looked at", () => {
    if (chart === undefined) throw new Error("no drawing");
    const at = (index: number) => {
      const { present, orders, lines, since } = followWay(chart, entries, index);
      return [present, [...orders], [...lines], since];
    };
    expect(at(-1)).toEqual([null, [], [], undefined]);
    expect(at(2)).toEqual([
      "FAILED",
      [
        ["REGISTERED", [1]],
        ["FAILED", [2]],
      ],
      ["REGISTERED to FAILED"],
      entries[1]?.at,
    ]);
    expect(at(3)).toEqual([
      "REGISTERED",
      [
        ["REGISTERED", [1, 3]],
        ["FAILED", [2]],
      ],
      ["REGISTERED to FAILED", "FAILED to REGISTERED"],
      entries[3]?.at,
    ]);
  });

  test("end where the task is, whatever is known of its way", () => {
    if (chart === undefined) throw new Error("no drawing");
    expect(followWay(chart, [], -1, "COMPLETED").present).toBe("COMPLETED");
    expect(followWay(chart, entries, 3, "SKIPPED").present).toBe("SKIPPED");
    expect(followWay(chart, entries, 1, "SKIPPED").present).toBe("FAILED");
  });
});
