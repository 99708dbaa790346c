/** Every recording, of every version ever made, against the machines of this build. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { assign, setup } from "xstate";
import { machines } from "../../machines/index.ts";
import { checkRecording, type RecordedStep, record } from "../../src/engine/replay/recording.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";

const FOLDER = fileURLToPath(new URL("recordings/", import.meta.url));
const registry: Readonly<Record<string, RegisteredMachine>> = machines;

interface Recording {
  readonly file: string;
  readonly machine: string;
  readonly version: number;
  readonly steps: readonly RecordedStep[];
}

const files = readdirSync(FOLDER).filter((file) => file.endsWith(".jsonl"));
const recordings = files.map((file): Recording => {
  const [, machine = "", version = ""] = /^(.+)-v(\d+)-[a-z0-9-]+\.jsonl$/.exec(file) ?? [];
  const lines = readFileSync(`${FOLDER}${file}`, "utf8").trimEnd().split("\n");
  return { file, machine, version: Number(version), steps: lines.map((line) => JSON.parse(line)) };
});

describe("recordings", () => {
  test.each(recordings)("$file is still what the machine does", ({ machine, version, steps }) => {
    const registered = registry[machine];
    expect(registered).toBeDefined();
    expect(steps.length).toBeGreaterThan(1);
    if (registered !== undefined) expect(checkRecording(registered, version, steps)).toBeNull();
  });

  // what an older version did can't be played any more: nobody but its digest sees that it was changed
  test("are the ones that were made", () => {
    const sums = files.map((file) => {
      const digest = createHash("sha256").update(readFileSync(`${FOLDER}${file}`));
      return `${digest.digest("hex")}  ${file}`;
    });
    expect(sums.sort()).toEqual(readFileSync(`${FOLDER}SHA256SUMS`, "utf8").trimEnd().split("\n").sort());
  });

  const current = recordings.filter(({ machine, version }) => registry[machine]?.version === version);

  test("of its present version exist for every machine", () => {
    expect(new Set(current.map(({ machine }) => machine))).toEqual(new Set(Object.keys(machines)));
  });

  test.each(current)("$file, tampered with, is found out", ({ machine, version, steps }) => {
    const registered = registry[machine];
    const last = steps.at(-1);
    if (registered === undefined || last === undefined) throw new Error("empty recording");
    const tampered = [...steps.slice(0, -1), { ...last, effects: [{ name: "smuggled", params: {} }] }];
    expect(checkRecording(registered, version, tampered)).toMatch(/^step \d+ .* differs at \$\.effects/);
  });
});

describe("an older version's recording", () => {
  const door = (closed: string) =>
    setup({
      types: { context: {} as { readonly times: number }, events: {} as { readonly type: "push" } },
      actions: { count: assign({ times: ({ context }) => context.times + 1 }) },
    }).createMachine({
      id: "door",
      context: { times: 0 },
      initial: closed,
      states: { [closed]: { on: { push: { target: "OPEN", actions: "count" } } }, OPEN: { on: { push: closed } } },
    });
  const registered = (closed: string, more: Partial<RegisteredMachine>): RegisteredMachine => ({
    id: "door",
    version: 1,
    machine: door(closed),
    migrate: {},
    view: () => ({ kind: "update", state: "RUNNING", label: "door", progress: 0, marks: [] }),
    ...more,
  });
  const steps = record(registered("CLOSED", {}), [
    { type: "xstate.init", input: {} },
    { type: "push" },
    { type: "push" },
  ]);

  test("fails when a state was renamed without a migration", () => {
    expect(checkRecording(registered("SHUT", { version: 2 }), 1, steps)).toBe(
      'machine "door" has no migration from version 1',
    );
    const forgetful = registered("SHUT", { version: 2, migrate: { 1: (snapshot) => snapshot } });
    expect(checkRecording(forgetful, 1, steps)).toContain('does not fit machine "door" 2');
  });

  test("goes on with one", () => {
    const migrated = registered("SHUT", {
      version: 2,
      migrate: { 1: (snapshot) => JSON.parse(JSON.stringify(snapshot).replaceAll('"CLOSED"', '"SHUT"')) },
    });
    expect(checkRecording(migrated, 1, steps)).toBeNull();
  });
});
