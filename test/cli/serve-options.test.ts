/** The options of `serve` for operators have their effect, and refuse what they can't mean. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSlipwayFolder, endOf, slipway, startSlipway, untilOutput } from "../support/slipway-process.ts";

const BIG = {
  version: 4,
  script: { version: "1.0.0" },
  requirements: { locations: [], specifications: ["999CORE"], permissions: [], ports: [] },
  app_values: {},
};

describe("slipway serve", () => {
  const folder = createSlipwayFolder({ "big.json": BIG });
  afterAll(() => folder.remove());

  it("enforces requirements, keeps the witness elsewhere and logs no more than it is told to", async () => {
    const witness = join(folder.path, "elsewhere");
    const told = ["--enforce-requirements", "--witness", witness, "--hooks-at-once", "2", "--log-level", "warn"];
    const served = startSlipway(["serve", ...folder.engine, "--listen", "127.0.0.1:0", "--no-token", ...told]);
    const { url } = JSON.parse((await untilOutput(served, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "");
    const ended = endOf(served);
    const response = await fetch(`${url}/api/apps/big/install`, { method: "POST" });
    expect(await response.json()).toMatchObject({ problems: [{ code: "REQUIREMENT_UNMET", severity: "error" }] });
    expect(existsSync(witness)).toBe(true);
    served.kill("SIGTERM");
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('"level":30');
  });

  it.each([
    ["--trust-widget", "tile", "APP/WIDGET"],
    ["--own-port", "0", "a port from 1 to 65535"],
    ["--hooks-at-once", "none", "a whole number"],
    ["--keep-trees", "all", "a whole number"],
    ["--keep-events", "1.5", "a whole number"],
    ["--keep-logs", "-1", "a whole number"],
    ["--keep-snapshots", "some", "a whole number"],
    ["--keep-mb", "1", "a whole number from 4"],
    ["--log-level", "loud", "Allowed choices"],
  ])("refuses %s %s", async (option, value, says) => {
    const { exitCode, stderr } = await slipway("serve", option, value);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
  });
});
