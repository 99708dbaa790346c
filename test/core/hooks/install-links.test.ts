import { describe, expect, it } from "vitest";
import { checkLinks } from "../../../src/core/hooks/check-links.ts";
import {
  type DialogContext,
  listFiringRows,
  listLinkRows,
  type SelectedLink,
} from "../../../src/core/hooks/install-links.ts";
import { buildPairingIndex } from "../../../src/core/hooks/pairings.ts";
import type { Dictionary } from "../../../src/core/script/dictionary.ts";
import { dictionaryOf, on, rawHook } from "../../support/scripts/scripts.ts";

/** Seven apps that are in no catalog and, but for one test, not installed. */
const SEVEN = ["app-1", "app-2", "app-3", "app-4", "app-5", "app-6", "app-7"];

const radarr = dictionaryOf("radarr", {
  hooks: [
    rawHook({
      id: "sign-in",
      events: ["onAfterInstall"],
      rerun: undefined,
      userOptional: { default: true },
    }),
    rawHook({ id: "off", events: ["onAfterInstall"], rerun: undefined, userOptional: { default: false } }),
    rawHook({ id: "plain", events: ["onAfterInstall"], rerun: undefined }),
    rawHook({ id: "connect", conditions: [on("sonarr"), on("plex"), on("nowhere")] }),
    rawHook({ id: "gated", conditions: [on("sonarr")], requiresHooks: ["sign-in", "plain"] }),
    rawHook({ id: "many", conditions: SEVEN.map((app) => on(app)) }),
    rawHook({ id: "closed", conditions: [on("sonarr")], requiresHooks: ["off"] }),
  ],
});
const tautulli = dictionaryOf("tautulli", { hooks: [rawHook({ id: "watch", conditions: [on("radarr")] })] });
const plex = dictionaryOf("plex");
const sonarr = dictionaryOf("sonarr");
const ALL = [radarr, tautulli, plex, sonarr];

function deps(changes: Partial<DialogContext> = {}): DialogContext {
  const byId = new Map<string, Dictionary>(ALL.map((dictionary) => [dictionary.appId, dictionary]));
  return {
    appId: "radarr",
    index: buildPairingIndex(ALL),
    installed: (id) => id === "sonarr" || id === "tautulli" || SEVEN.includes(id),
    dictionary: (id) => byId.get(id) ?? null,
    consents: {},
    links: null,
    ...changes,
  };
}

const shown = (changes: Partial<DialogContext> = {}) =>
  listLinkRows(deps(changes)).map(({ row, target, checked, installable, open }) =>
    [
      `${row.pairing.appId}/${row.pairing.hook.id}>${target}`,
      checked && "on",
      installable && "installable",
      !open && "closed",
    ]
      .filter(Boolean)
      .join(" "),
  );

describe("install dialog", () => {
  it("2: links whose other app is installed are checked by default, a row per target, in both directions", () => {
    expect(shown()).toEqual([
      "radarr/connect>sonarr on",
      "radarr/connect>plex installable",
      "radarr/connect>nowhere",
      "radarr/gated>sonarr on",
      ...SEVEN.slice(0, 6).map((app) => `radarr/many>${app} on`),
      "radarr/many>app-7",
      "radarr/closed>sonarr on closed",
      "tautulli/watch>tautulli on",
    ]);
  });

  it("3: in the collapsed dialog the links to installed targets behind open gates will fire", () => {
    const names = listFiringRows(listLinkRows(deps())).map(({ row, target }) => `${row.pairing.hook.id}>${target}`);
    expect(names).toEqual([
      "connect>sonarr",
      "gated>sonarr",
      ...SEVEN.slice(0, 6).map((app) => `many>${app}`),
      "watch>tautulli",
    ]);
  });

  it("3: what fires when the dialog stays collapsed keeps within 6 links, so that the install is not refused", () => {
    const hooks = SEVEN.map((app) => rawHook({ id: `link-${app}`, conditions: [on(app)] }));
    const wide = dictionaryOf("radarr", { hooks });
    const index = buildPairingIndex([wide]);
    const rows = listLinkRows(deps({ index, dictionary: () => wide }));
    expect(rows.map(({ checked }) => checked)).toEqual([true, true, true, true, true, true, false]);
    const links = listFiringRows(rows).map(({ row, target }) => ({
      hookId: row.pairing.hook.id,
      runsOnAppId: row.pairing.appId,
      targets: [target],
    }));
    expect(checkLinks(links, deps({ index, dictionary: () => wide }))).toEqual([]);
  });

  it("4: a link of a missing declaring app follows the consents given for installing that app", () => {
    const missing = { installed: (id: string) => id === "radarr", appId: "sonarr" };
    const gated = (given: Record<string, boolean>) =>
      checkLinks(
        [{ hookId: "gated", runsOnAppId: "radarr", targets: ["radarr"], install: { radarr: { consents: given } } }],
        deps({ ...missing, installed: () => false }),
      ).map(({ code }) => code);
    expect(gated({})).toEqual([]);
    expect(gated({ "sign-in": false })).toEqual(["PAIRING_LINK_GATED"]);
    expect(checkLinks([link({ hookId: "gated", targets: ["radarr"] })], deps(missing))).toEqual([]);
  });

  it("5: an untouched consent counts as on unless its default is false", () => {
    expect(shown().filter((row) => row.includes("closed"))).toEqual(["radarr/closed>sonarr on closed"]);
  });

  it("5: a row follows the consents of the hooks it requires", () => {
    const rows = shown({ consents: { "sign-in": false, off: true } });
    expect(rows).toContain("radarr/gated>sonarr on closed");
    expect(rows).toContain("radarr/closed>sonarr on");
  });

  it("never offers to install a target that matches no catalog app", () => {
    expect(shown()).toContain("radarr/connect>nowhere");
  });
});

const link = (changes: Partial<SelectedLink> = {}): SelectedLink => ({
  hookId: "connect",
  runsOnAppId: "radarr",
  targets: ["sonarr"],
  ...changes,
});

/** docs/decisions.md, section 7 and specification, "Limits". */
const FAULTS: readonly [row: string, links: readonly SelectedLink[], faults: readonly string[]][] = [
  ["a sound link", [link()], []],
  [
    "an incoming link names the declaring app",
    [link({ hookId: "watch", runsOnAppId: "tautulli", targets: ["tautulli"] })],
    [],
  ],
  ["a missing target of the catalog", [link({ targets: ["plex"] })], []],
  ["more than 6 links, and no more is said", Array.from({ length: 7 }, () => link()), ["PAIRING_LINK_LIMIT links"]],
  ["the same link twice", [link(), link({ targets: ["plex"] })], ["PAIRING_REPEATED links.1.hookId"]],
  ["the same target twice", [link({ targets: ["sonarr", "sonarr"] })], ["PAIRING_REPEATED links.0.targets.1"]],
  ["no target", [link({ targets: [] })], ["PAIRING_TARGET_LIMIT links.0.targets"]],
  ["more than 6 targets", [link({ hookId: "many", targets: SEVEN })], ["PAIRING_TARGET_LIMIT links.0.targets"]],
  [
    "more than 6 targets, and no more is said of them",
    [link({ targets: Array.from({ length: 200_000 }, () => "x") })],
    ["PAIRING_TARGET_LIMIT links.0.targets"],
  ],
  ["an unknown hook", [link({ hookId: "nope" })], ["PAIRING_LINK_UNKNOWN links.0.hookId"]],
  ["a hook that is no pairing", [link({ hookId: "plain" })], ["PAIRING_LINK_UNKNOWN links.0.hookId"]],
  ["the wrong app to run on", [link({ runsOnAppId: "sonarr" })], ["PAIRING_LINK_UNKNOWN links.0.hookId"]],
  [
    "a target the hook does not name",
    [link({ targets: ["sonarr", "tautulli"] })],
    ["PAIRING_TARGET_UNKNOWN links.0.targets.1"],
  ],
  [
    "a link to a target in no catalog is refused",
    [link({ targets: ["nowhere"] })],
    ["PAIRING_TARGET_NOT_INSTALLABLE links.0.targets.0"],
  ],
  ["an install of no target", [link({ install: { plex: {} } })], ["PAIRING_TARGET_UNKNOWN links.0.install.plex"]],
  [
    "a link behind a consent that is off is refused",
    [link({ hookId: "closed" })],
    ["PAIRING_LINK_GATED links.0.hookId"],
  ],
  [
    "every fault is reported",
    [link({ hookId: "nope" }), link({ targets: ["tautulli"] })],
    ["PAIRING_LINK_UNKNOWN links.0.hookId", "PAIRING_TARGET_UNKNOWN links.1.targets.0"],
  ],
];

describe("a faulty link rejects the request whole, with the place of the fault", () => {
  it.each(FAULTS)("%s", (_row, links, faults) => {
    expect(checkLinks(links, deps()).map(({ code, path }) => `${code} ${path.join(".")}`)).toEqual(faults);
  });
});
