import { describe, expect, it } from "vitest";
import { type Availability, evaluateConditions } from "../../../src/core/hooks/conditions.ts";
import type { Condition } from "../../../src/core/script/dictionary.ts";

const APPS = {
  sonarr: { state: "RUNNING", version: "4.0.0", ports: [8989] },
  radarr: { state: "STOPPED", version: "5.0.0", ports: [] },
  lidarr: { state: "DEPLOYING", version: "2.0.0", ports: [] },
};

const visibility = (condition: Omit<Condition, "role">): Condition => ({ role: "visibility", ...condition });
const availability = (condition: Omit<Condition, "role">): Condition => ({ role: "availability", ...condition });
const enabled: Availability = { state: "enabled" };
const hidden: Availability = { state: "hidden" };
const disabled = (reason: string): Availability => ({ state: "disabled", reason });

/** Specification, "Condition". */
const ROWS: readonly [row: string, conditions: readonly Condition[], standing: Availability][] = [
  ["no conditions pass", [], enabled],
  ["appInstalled: the app is installed", [visibility({ type: "appInstalled", app: "radarr" })], enabled],
  ["appInstalled: the app is not installed", [visibility({ type: "appInstalled", app: "plex" })], hidden],
  ["appRunning: the app is installed and running", [availability({ type: "appRunning", app: "sonarr" })], enabled],
  [
    "appRunning: the app is installed and stopped",
    [availability({ type: "appRunning", app: "radarr" })],
    disabled('"radarr" is not running'),
  ],
  [
    "appRunning: the app is still starting",
    [availability({ type: "appRunning", app: "lidarr" })],
    disabled('"lidarr" is not running'),
  ],
  [
    "appRunning: the app is absent",
    [availability({ type: "appRunning", app: "plex" })],
    disabled('"plex" is not installed'),
  ],
  ["app ids are compared exactly", [visibility({ type: "appInstalled", app: "Radarr" })], hidden],
  ["a name every object has is no app", [visibility({ type: "appInstalled", app: "constructor" })], hidden],
  ["appVersion never passes", [visibility({ type: "appVersion", app: "sonarr", range: ">=1.0.0" })], hidden],
  ["capabilityPresent never passes", [visibility({ type: "capabilityPresent", capability: "gpu" })], hidden],
  [
    "script never passes",
    [availability({ type: "script", script: "a.ts" })],
    disabled(`the condition "script" can't be checked yet`),
  ],
  ["an unrecognized type counts as false", [visibility({ type: "moonPhase" })], hidden],
  [
    "all predicates must pass",
    [visibility({ type: "appInstalled", app: "sonarr" }), availability({ type: "appRunning", app: "radarr" })],
    disabled('"radarr" is not running'),
  ],
  [
    "hidden implies unavailable",
    [availability({ type: "appRunning", app: "radarr" }), visibility({ type: "appInstalled", app: "plex" })],
    hidden,
  ],
];

describe("conditions", () => {
  it.each(ROWS)("%s", (_row, conditions, standing) => {
    expect(evaluateConditions(conditions, APPS)).toEqual(standing);
  });
});
