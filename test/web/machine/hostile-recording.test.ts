/** Files that are no recordings: each is refused with its reason, none is drawn, none costs much. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RECORDING_LIMITS, readRecording } from "../../../src/web/elements/machine/read-recording.ts";
import { charts } from "../support/drawn-machines.ts";

const step = (value: unknown, type: unknown = "xstate.init") =>
  JSON.stringify({ event: { type }, snapshot: { value } });
const nested = (depth: number) => `${'{"a":'.repeat(depth)}"b"${"}".repeat(depth)}`;

describe("a file", () => {
  test.each([
    ["without a line", "", { fault: "empty" }],
    ["of blank lines", "\n\n \n", { fault: "empty" }],
    ["that is not JSON", `${step("PENDING")}\n<html>`, { fault: "notJson", line: 2 }],
    ["of bytes", "\u0000\ufffd\u0001", { fault: "notJson", line: 1 }],
    ["with a list", "[]", { fault: "notAStep", line: 1 }],
    ["with a null", "null", { fault: "notAStep", line: 1 }],
    ["without an event", '{"snapshot":{"value":"PENDING"}}', { fault: "notAStep", line: 1 }],
    ["whose event is a number", step("PENDING", 7), { fault: "notAStep", line: 1 }],
    ["with a name as long as a book", step("PENDING", "x".repeat(301)), { fault: "notAStep", line: 1 }],
    ["in two states at once", step({ ACTIVE: "QUEUED", PENDING: {} }), { fault: "notAStep", line: 1 }],
    ["in no state", step({}), { fault: "notAStep", line: 1 }],
    [
      "in a state of the prototype",
      `{"event":{"type":"x"},"snapshot":{"value":"__proto__"}}`,
      { fault: "unknownStates" },
    ],
    ["in markup", step("<img src=x onerror=alert(1)>"), { fault: "unknownStates" }],
    [
      "in states without end",
      `{"event":{"type":"x"},"snapshot":{"value":${nested(2000)}}}`,
      { fault: "notAStep", line: 1 },
    ],
    ["of too many steps", `${step("PENDING")}\n`.repeat(RECORDING_LIMITS.lines + 1), { fault: "tooLong" }],
    ["that is too large", "x".repeat(RECORDING_LIMITS.bytes + 1), { fault: "tooLarge" }],
  ])("%s is refused", (_, text, fault) => {
    expect(readRecording("any.jsonl", text, charts)).toEqual(fault);
  });

  test("whose name says another machine is refused", () => {
    expect(readRecording("install-v1-x.jsonl", step("REGISTERED"), charts)).toEqual({ fault: "otherMachine" });
  });

  test("of any name is drawn as the machine that has its states", () => {
    expect(readRecording("<b>.txt", step("REGISTERED"), charts)).toEqual({
      name: "<b>.txt",
      machine: "checkpoint",
      entries: [{ seq: 1, cause: "xstate.init", states: ["REGISTERED"] }],
    });
  });

  test("that leaps shows where it landed", () => {
    const read = readRecording("a", `${step("REGISTERED")}\n${step("COMPLETED", "no.such.event")}`, charts);
    expect(read).toMatchObject({ entries: [{}, { cause: "no.such.event", states: ["COMPLETED"] }] });
  });

  test("of anything is read or refused, and never throws", () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.json(), { maxLength: 5 }).map((lines) => lines.join("\n")),
      fc
        .record({ event: fc.record({ type: fc.string() }), snapshot: fc.record({ value: fc.jsonValue() }) })
        .map((each) => JSON.stringify(each)),
    );
    fc.assert(
      fc.property(fc.string(), text, (name, content) => {
        const read = readRecording(name, content, charts);
        expect("fault" in read || read.entries.length > 0).toBe(true);
      }),
    );
  });
});
