import { describe, expect, it } from "vitest";
import { HOST, planOf, rawQuestion } from "../../support/scripts/plans.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

const directory = (path: string, changes: Record<string, unknown> = {}) => ({
  ensure_directories_exists: [{ path, ...changes }],
});

describe("directories", () => {
  it("are normalised, with their location, share, owner and snapshot", () => {
    const { plan } = planOf(
      directory("$LOCATION(Media)//a/./b/../c/", {
        network_share: true,
        owner: { user: "apps", group: "docker" },
        snapshot: { id: "data" },
      }),
    );
    expect(plan?.directories).toEqual([
      {
        path: "/mnt/tank/Media/a/c",
        location: "Media",
        root: false,
        share: true,
        owner: { user: "apps", group: "docker" },
        snapshot: { id: "data" },
      },
    ]);
  });

  it("that are a location itself are marked as root", () => {
    expect(planOf(directory("$LOCATION(Media)/", { network_share: true })).plan?.directories).toEqual([
      { path: "/mnt/tank/Media", location: "Media", root: true, share: true },
    ]);
  });

  it("below one location that are the root of another are marked as root too", () => {
    const facts = { ...HOST, locations: { ...HOST.locations, Movies: "/mnt/tank/Media/Movies" } };
    const { plan } = planOf(directory("$LOCATION(Media)/Movies"), { facts });
    expect(plan?.directories).toMatchObject([{ location: "Media", root: true }]);
  });

  it("keep the location they were written with where two share a path", () => {
    const facts = { ...HOST, locations: { ...HOST.locations, Shows: "/mnt/tank/Media" } };
    expect(planOf(directory("$LOCATION(Shows)/x"), { facts }).plan?.directories).toMatchObject([{ location: "Shows" }]);
    expect(planOf(directory("$LOCATION(Media)/x"), { facts }).plan?.directories).toMatchObject([{ location: "Media" }]);
  });

  it("and macros do not depend on a slash at the end of a location", () => {
    const facts = { ...HOST, locations: { ...HOST.locations, Media: "/mnt/tank/Media/" } };
    const { plan } = planOf({ ...directory("$LOCATION(Media)/x"), app_values: { v: "$LOCATION(Media)/x" } }, { facts });
    expect(plan?.directories).toMatchObject([{ path: "/mnt/tank/Media/x", root: false }]);
    expect(plan?.appValues).toEqual({ v: "/mnt/tank/Media/x" });
  });

  it("may come from either branch of an $IF", () => {
    const { plan } = planOf(directory("$IF($APP_INSTALLED(plex), $LOCATION(Media)/plex, $LOCATION(Music)/none)"));
    expect(plan?.directories).toMatchObject([{ path: "/mnt/tank/Media/plex", location: "Media" }]);
  });
});

describe("a directory path stays at or below its location", () => {
  const question = { installation_questions: [rawQuestion("sub")] };
  const refused: readonly (readonly [path: string, sub: string])[] = [
    ["$LOCATION(Media)/$QUESTION(sub)", "../x"],
    ["$LOCATION(Media)/$QUESTION(sub)", "a/../../x"],
    ["$LOCATION(Media)/$QUESTION(sub)", "../Media/x"],
    ["$LOCATION(Media)/$QUESTION(sub)", "/etc"],
    ["$LOCATION(Media)$QUESTION(sub)", "2/x"],
    ["$LOCATION(Media)$QUESTION(sub)", "/../../etc"],
    ["$QUESTION(sub)", "/etc"],
    ["$QUESTION(sub)", "etc"],
    ["$QUESTION(sub)", ""],
    ["$LOCATION(Media)/$QUESTION(sub)", "a\0b"],
  ];
  it.each(refused)("an answer that leads out, or is absolute, is refused: %s with %j", (path, sub) => {
    const { plan, problems, draft } = planOf({ ...question, ...directory(path) }, { answers: { sub } });
    expect(plan).toBeNull();
    expect(problems).toMatchObject([{ code: "DIRECTORY_OUTSIDE", severity: "error", path: ["answers", "sub"] }]);
    expect(draft.directories).toMatchObject([{ path: null }]);
  });

  const kept: readonly (readonly [sub: string, path: string])[] = [
    ["a/b", "/mnt/tank/Media/a/b"],
    ["a/../b", "/mnt/tank/Media/b"],
    ["..a", "/mnt/tank/Media/..a"],
    ["a..b/...", "/mnt/tank/Media/a..b/..."],
    ["$LOCATION(Music)", "/mnt/tank/Media/$LOCATION(Music)"],
    ["", "/mnt/tank/Media"],
  ];
  it.each(kept)("an answer %j is %s", (sub, path) => {
    const { plan } = planOf({ ...question, ...directory("$LOCATION(Media)/$QUESTION(sub)") }, { answers: { sub } });
    expect(plan?.directories).toMatchObject([{ path }]);
  });

  it("a literal directory inside a location is planned below it", () => {
    const { plan, problems } = planOf(directory("/mnt/tank/Media/a/../b"));
    expect(problems).toEqual([]);
    expect(plan?.directories).toMatchObject([{ path: "/mnt/tank/Media/b", location: "Media", root: false }]);
  });

  const stray = [
    "/etc",
    "/mnt/tank/Media",
    "/mnt/tank/Media/",
    "/mnt/tank/Media/..",
    "/mnt/tank/Media2/x",
    "/mnt/tank/Media/../x",
  ];
  it.each(stray)("a literal directory that does not lie strictly below a location is refused: %s", (path) => {
    const { plan, problems } = planOf(directory(path));
    expect(plan).toBeNull();
    expect(problems).toMatchObject([{ code: "DIRECTORY_OUTSIDE", path: ["ensure_directories_exists", 0, "path"] }]);
  });

  it("a default that leads out is refused at the directory", () => {
    const installation_questions = [rawQuestion("sub", { default: "../x" })];
    const { problems } = planOf({ installation_questions, ...directory("$LOCATION(Media)/$QUESTION(sub)") });
    expect(problems).toMatchObject([{ code: "DIRECTORY_OUTSIDE", path: ["ensure_directories_exists", 0, "path"] }]);
  });
});

describe("hooks of a plan", () => {
  it("are one row per lifecycle firing; a refused consent is a row with consent false", () => {
    const lifecycle = (id: string, changes: Record<string, unknown>) => {
      const { rerun: _rerun, ...hook } = rawHook({ id, ...changes });
      return hook;
    };
    const hooks = [
      lifecycle("setup", { events: ["onAfterInstall", "onBeforeUpgrade"], optional: true }),
      lifecycle("agree", { events: ["onAfterInstall", "onAfterUpgrade"], userOptional: {} }),
      lifecycle("refuse", { events: ["onBeforeInstall"], userOptional: { default: false } }),
      rawHook({ id: "button" }),
    ];
    const { plan } = planOf({ hooks }, { request: { consents: { agree: false } } });
    expect(plan?.hooks).toEqual([
      { id: "setup", event: "onAfterInstall", optional: true },
      { id: "setup", event: "onBeforeUpgrade", optional: true },
      { id: "agree", event: "onAfterInstall", optional: false, consent: false },
      { id: "refuse", event: "onBeforeInstall", optional: false, consent: false },
    ]);
  });
});

describe("the trace", () => {
  it("says of each value which macro made it and where that got it from", () => {
    const { trace } = planOf(
      {
        installation_questions: [rawQuestion("k")],
        app_values: { list: ["$IF(false, x)", "$QUESTION(k) on $SERVER_LAN_IP"], key: "$RANDOM_STRING(8)" },
      },
      { answers: { k: "v" } },
    );
    expect(trace).toEqual([
      {
        path: ["app_values", "list", 0],
        macros: [
          { macro: "$IF(false, x)", from: "script" },
          { macro: "$QUESTION(k)", from: "answer:given", key: "k" },
          { macro: "$SERVER_LAN_IP", from: "host" },
        ],
      },
      { path: ["app_values", "key"], macros: [{ macro: "$RANDOM_STRING(8)", from: "generated" }] },
    ]);
  });
});

describe("problems of a plan", () => {
  it("carry the line and column of the macro when the script's text is given", () => {
    const script = { installation_questions: [rawQuestion("p")], app_values: { mb: "é $MEMORY($QUESTION(p), 10)" } };
    const { dictionary } = planOf(script, { answers: { p: "5" } }).plan ?? {};
    if (dictionary === undefined) throw new Error("the script has a plan");
    const text = '{\n  "app_values": { "mb": "é $MEMORY($QUESTION(p), 10)" }\n}';
    const { problems } = planOf({}, { dictionary, text, answers: { p: "half" } });
    expect(problems).toMatchObject([
      { code: "MACRO_VALUE", path: ["app_values", "mb"], line: 2, column: 28, length: 25 },
    ]);
  });
});
