import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCronFault, findLastTime, findNextTime } from "../../../src/core/schedule/cron.ts";

const at = (time: string) => Date.parse(time);
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

describe("a cron expression", () => {
  it.each([
    ["* * *", "it has 3 fields", 5],
    ["0 2 * * * *", "it has 6 fields", 10],
    ["61 * * * *", "minute: ", 0],
    ["0 25 * * *", "hour: ", 2],
    ["0  2 32 * *", "day of the month: ", 5],
    ["0 2 * 13 *", "month: ", 6],
    ["0 2 * * noday", "day of the week: ", 8],
    ["0 2 30 2 *", "no such day ever comes", 4],
    ["", "it has 0 fields", 0],
  ])("%j is refused at its place", (expression, message, position) => {
    expect(findCronFault(expression)).toEqual({ message: expect.stringContaining(message), position });
  });

  it.each(["0 2 * * *", "*/15 1-5 * * MON-FRI", "30 4 1,15 * 5", "0 0 29 2 *"])("%j is taken", (expression) => {
    expect(findCronFault(expression)).toBeNull();
  });

  it("comes once on the day that lacks its hour, as soon as that has passed, and once on the day that has it twice", () => {
    const zone = "Europe/Berlin";
    const next = (after: string) => iso(findNextTime("30 2 * * *", zone, at(after)));
    expect(next("2026-03-28T12:00:00Z")).toBe("2026-03-29T01:00:00.000Z");
    expect(next("2026-03-29T01:00:00Z")).toBe("2026-03-30T00:30:00.000Z");
    expect(next("2026-10-24T12:00:00Z")).toBe("2026-10-25T00:30:00.000Z");
    expect(next("2026-10-25T00:30:00Z")).toBe("2026-10-26T01:30:00.000Z");
    // The second half past two of that night.
    expect(iso(findLastTime("30 2 * * *", zone, at("2026-10-25T01:30:00Z")))).toBe("2026-10-25T00:30:00.000Z");
    expect(iso(findLastTime("30 2 * * *", zone, at("2026-03-29T01:00:00Z")))).toBe("2026-03-29T01:00:00.000Z");
  });

  it("comes in its very millisecond, not before it", () => {
    const last = (until: string) => iso(findLastTime("0 3 * * *", "UTC", at(until)));
    expect(last("2026-01-02T02:59:59.999Z")).toBe("2026-01-01T03:00:00.000Z");
    expect(last("2026-01-02T02:59:59.001Z")).toBe("2026-01-01T03:00:00.000Z");
    expect(last("2026-01-02T03:00:00.000Z")).toBe("2026-01-02T03:00:00.000Z");
    expect(last("2026-01-02T03:00:00.999Z")).toBe("2026-01-02T03:00:00.000Z");
  });

  it("has no time between its last one and now, in any zone and on any day", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("30 2 * * *", "*/30 2 * * *", "15 1-3 * * *", "0 3 * * 0", "0 4 29 2 *"),
        fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"),
        fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2027-01-01T00:00:00Z") }),
        (expression, zone, now) => {
          const last = findLastTime(expression, zone, now);
          expect(last).toBeLessThanOrEqual(now);
          expect(findNextTime(expression, zone, last ?? 0)).toBeGreaterThan(now);
        },
      ),
      { numRuns: 60 },
    );
  });
});
