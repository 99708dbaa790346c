import { describe, expect, it } from "vitest";
import { buildPairingIndex, listPairings, replaceInPairingIndex } from "../../../src/core/hooks/pairings.ts";
import type { Dictionary } from "../../../src/core/script/dictionary.ts";
import { dictionaryOf, hookOf, on, rawHook } from "../../support/scripts/scripts.ts";

/** `direction declaring/hook -> targets`, one line per pairing of an app. */
function listed(appId: string, dictionaries: readonly Dictionary[]): readonly string[] {
  return listPairings(buildPairingIndex(dictionaries), appId).map(
    ({ direction, pairing, targets }) => `${direction} ${pairing.appId}/${pairing.hook.id} -> ${targets.join(", ")}`,
  );
}

const withHook = (appId: string, hook: Record<string, unknown>) => dictionaryOf(appId, { hooks: [rawHook(hook)] });
const FILES = { type: "files", accepts: [".mkv"] };

/** Specification, "Pairing rules (cross-app links)": the pairings of "radarr" when it declares the hook. */
const RULES: readonly [row: string, hook: Record<string, unknown>, pairings: readonly string[]][] = [
  ["1: appInstalled on another app", { conditions: [on("sonarr")] }, ["outgoing radarr/connect -> sonarr"]],
  ["1: appRunning on another app", { conditions: [on("sonarr", "appRunning")] }, ["outgoing radarr/connect -> sonarr"]],
  [
    "1: appVersion on another app",
    { conditions: [{ ...on("sonarr", "appVersion"), range: ">=4.0.0" }] },
    ["outgoing radarr/connect -> sonarr"],
  ],
  ["1: a condition on the declaring app alone", { conditions: [on("radarr")] }, []],
  ["1: no condition with an app", { conditions: [] }, []],
  ["1: surfaces without installPicker", { conditions: [on("sonarr")], surfaces: ["card"] }, []],
  [
    "2: targets stand once each, in the order first named, without the declaring app",
    { conditions: [on("plex"), on("radarr", "appRunning"), on("sonarr"), on("plex", "appRunning", "availability")] },
    ["outgoing radarr/connect -> plex, sonarr"],
  ],
  ["4: surfaces narrowed away from installPicker", { conditions: [on("sonarr")], surfaces: ["widget", "card"] }, []],
  ["4: a hook with a target", { conditions: [on("sonarr")], target: FILES }, []],
  [
    "4: a hook with a target that names installPicker",
    { conditions: [on("sonarr")], target: FILES, surfaces: ["installPicker"] },
    [],
  ],
  ["4: a card-only hook", { conditions: [on("sonarr")], surfaces: ["card"] }, []],
  [
    "8: a pairing hook usually omits events",
    { conditions: [on("sonarr")], events: ["userAction"] },
    ["outgoing radarr/connect -> sonarr"],
  ],
];

describe("pairing rules", () => {
  it.each(RULES)("%s", (_row, hook, pairings) => {
    expect(listed("radarr", [withHook("radarr", hook)])).toEqual(pairings);
  });

  it("3: pairings are derived regardless of what is installed", () => {
    expect(listed("sonarr", [withHook("radarr", { conditions: [on("sonarr")] })])).toEqual([
      "incoming radarr/connect -> radarr",
    ]);
  });

  it("5: the hook runs on its declaring app in both directions", () => {
    const index = buildPairingIndex([withHook("radarr", { conditions: [on("sonarr")] })]);
    for (const app of ["radarr", "sonarr"]) expect(listPairings(index, app)[0]?.pairing.appId).toBe("radarr");
  });

  it("6: one record per declaring app and hook, with a target each", () => {
    const radarr = withHook("radarr", { conditions: [on("sonarr"), on("plex")] });
    expect(listPairings(buildPairingIndex([radarr]), "radarr").map(({ targets }) => targets)).toEqual([
      ["sonarr", "plex"],
    ]);
  });

  it("7: every condition must pass, so a hook that sees two apps stays hidden until both are there", async () => {
    const { evaluateConditions } = await import("../../../src/core/hooks/conditions.ts");
    const hook = hookOf("radarr", { conditions: [on("sonarr"), on("plex")] });
    const sonarr = { state: "RUNNING", version: "1.0.0", ports: [] };
    expect(evaluateConditions(hook.conditions, { sonarr })).toEqual({ state: "hidden" });
    expect(evaluateConditions(hook.conditions, { sonarr, plex: sonarr })).toEqual({ state: "enabled" });
  });
});

describe("directions", () => {
  it("shows in an incoming pairing the declaring app alone", () => {
    expect(listed("plex", [withHook("radarr", { conditions: [on("sonarr"), on("plex")] })])).toEqual([
      "incoming radarr/connect -> radarr",
    ]);
  });

  it("pairings stand outgoing before incoming, then by declaring app, then by declaration", () => {
    const two = [rawHook({ id: "b", conditions: [on("plex")] }), rawHook({ id: "a", conditions: [on("plex")] })];
    const dictionaries = [
      dictionaryOf("sonarr", { hooks: two }),
      withHook("lidarr", { conditions: [on("plex")] }),
      withHook("plex", { conditions: [on("tautulli")] }),
    ];
    expect(listed("plex", dictionaries)).toEqual([
      "outgoing plex/connect -> tautulli",
      "incoming lidarr/connect -> lidarr",
      "incoming sonarr/b -> sonarr",
      "incoming sonarr/a -> sonarr",
    ]);
  });

  it("keeps a target that matches no catalog app", () => {
    expect(listed("radarr", [withHook("radarr", { conditions: [on("no-such-app")] })])).toEqual([
      "outgoing radarr/connect -> no-such-app",
    ]);
  });

  it("derives none from a version 5 script", () => {
    const v5 = dictionaryOf("radarr", {
      version: 5,
      hooks: [{ id: "a", event: "onAfterInstall", scriptContent: "export async function run() {}", entrypoint: "run" }],
    });
    expect(listed("radarr", [v5])).toEqual([]);
  });

  it("drops a lifecycle trigger with a cross-app condition, so it yields no pairing", () => {
    const dictionary = dictionaryOf("radarr", {
      hooks: [rawHook({ conditions: [on("sonarr")], events: ["userAction", "onAfterInstall"] })],
    });
    expect(dictionary.hooks).toEqual([]);
    expect(listed("radarr", [dictionary])).toEqual([]);
  });
});

describe("replacing one app in the index", () => {
  const radarr = withHook("radarr", { conditions: [on("sonarr")] });
  const lidarr = withHook("lidarr", { conditions: [on("sonarr")] });

  it("equals building the index anew", () => {
    const before = buildPairingIndex([radarr, lidarr]);
    const changed = withHook("radarr", { conditions: [on("plex")] });
    expect(replaceInPairingIndex(before, "radarr", changed)).toEqual(buildPairingIndex([changed, lidarr]));
    expect(replaceInPairingIndex(before, "lidarr", null)).toEqual(buildPairingIndex([radarr]));
  });

  it("leaves the index before as it was", () => {
    const before = buildPairingIndex([radarr]);
    replaceInPairingIndex(before, "radarr", null);
    expect(before).toEqual(buildPairingIndex([radarr]));
  });
});
