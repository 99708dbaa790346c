import { expect, it } from "vitest";
import { createHookReports } from "../../../src/engine/effects/hook/hook-reports.ts";
import type { MachineEvent } from "../../../src/engine/runtime/effect.ts";
import { createTestClock } from "../../support/test-clock.ts";

it("tells nothing again that an earlier life told last, and everything that changed since", async () => {
  const told: MachineEvent[] = [];
  const known = [{ id: "a", message: "at work", isEnded: false }];
  const reports = createHookReports(async (event) => void told.push(event), createTestClock(), known, 60);
  reports.progress(60);
  await reports.say("a", "at work");
  await reports.flush();
  expect(told).toEqual([]);
  await reports.say("a", "done soon");
  await reports.say("a", "at work");
  reports.progress(70);
  reports.progress(60);
  await reports.flush();
  expect(told).toEqual([
    { type: "script.message", checkpoint: "a", message: "done soon" },
    { type: "script.message", checkpoint: "a", message: "at work" },
    { type: "script.progress", percent: 60 },
  ]);
});

it("changes the text of an announced checkpoint, and never announces it anew while it waits for a person", async () => {
  const told: MachineEvent[] = [];
  const reports = createHookReports(async (event) => void told.push(event), createTestClock(), [], null);
  await reports.announce("a", "one");
  reports.progress(5);
  await reports.announce("a", "two");
  await reports.flush();
  expect(told).toEqual([
    { type: "script.registered", checkpoint: "a", message: "one" },
    { type: "script.progress", percent: 5 },
    { type: "script.message", checkpoint: "a", message: "two" },
  ]);
});
