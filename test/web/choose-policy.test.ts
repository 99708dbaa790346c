import { describe, expect, it } from "vitest";
import { readDaily, writeDaily } from "../../src/web/elements/upgrades/choose-policy.ts";

describe("the times of a window", () => {
  it.each([
    ["0 3 * * *", { day: "*", time: "03:00" }],
    ["05 23 * * 0", { day: "0", time: "23:05" }],
  ])("%s are one time of a day, and are written so again", (cron, daily) => {
    expect(readDaily(cron)).toEqual(daily);
    expect(readDaily(writeDaily(daily.day, daily.time))).toEqual(daily);
  });

  it.each(["0 25 * * *", "60 3 * * *", "*/5 3 * * *", "0 3 1 * *", "0 3 * * 1-5", "30 4 29 2 *", ""])(
    "%s are others",
    (cron) => {
      expect(readDaily(cron)).toEqual({ day: "", time: "" });
    },
  );

  it("begin at three each night where nothing is chosen yet", () => {
    expect(writeDaily("", "")).toBe("0 3 * * *");
  });
});
