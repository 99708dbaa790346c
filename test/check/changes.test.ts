/** Level 7: apps whose scripts and answers change. */
import { describe, expect, it } from "vitest";
import { chooseEarlier } from "../../src/check/changes/earlier-scripts.ts";
import { judgeFired } from "../../src/check/changes/judge-fired.ts";
import { judgeOption } from "../../src/check/changes/judge-option.ts";
import { Findings } from "../../src/check/findings.ts";
import { CHANGES } from "../../src/check/levels/changes.ts";
import { rawApp } from "../support/check/apps.ts";
import { playLevel } from "../support/check/play.ts";
import { dictionaryOf, rawHook } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

type Values = Readonly<Record<string, unknown>>;

/** A script of one version, with these values beside the port. */
function script(version: string, values: Values, changes: Record<string, unknown> = {}) {
  const network = { web_port: { bind_mode: "published", port_number: 30111 } };
  return rawApp({ script: { version }, app_values: { network, ...values }, ...changes });
}

const text = (key: string, changes: object = {}) => ({ question: "?", type: "text", key, ...changes });

/** Plays the newest script, and an earlier one where there is one, on level 7 alone. */
async function check(newest: object, earlier?: object) {
  folder.write("app.json", newest);
  if (earlier !== undefined) folder.write("app@earlier.json", earlier);
  const { findings, coverage } = await playLevel(CHANGES, folder.path, "app");
  return {
    found: findings.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`),
    places: findings.map(({ line, column }) => [line, column]),
    coverage,
  };
}

const upgradeHook = (id: string, range: object, scriptContent = "export async function run() {}") =>
  rawHook({ id, rerun: undefined, events: [{ event: "onAfterUpgrade", ...range }], scriptContent });

describe("an app that is sound", () => {
  it("keeps answers and generated strings, and fires its hooks by their ranges", async () => {
    const password = text("password", { type: "password", default: "$RANDOM_STRING(20)", installonly: true });
    const mode = {
      ...text("mode", { type: "select", default: "a" }),
      options: [
        { text: "A", value: "a" },
        { text: "B", value: "b" },
      ],
    };
    const values = { env: { NAME: "$QUESTION(name)", PASSWORD: "$QUESTION(password)" }, secret: "$RANDOM_STRING(32)" };
    const questions = [text("name", { required: true, default: "admin" }), password];
    const { found, coverage } = await check(
      script(
        "1.1.0",
        {
          ...values,
          env: { ...values.env, MODE: "$QUESTION(mode)", TEAM: "$QUESTION(team)" },
          url: "$IF($QUESTION(tls), https, http)",
          token: "$RANDOM_STRING(16)",
        },
        {
          installation_questions: [
            ...questions,
            mode,
            text("team", { required: true }),
            text("tls", { type: "boolean", default: false }),
            text("folder", { default: "/mnt/somewhere" }),
          ],
          hooks: [
            upgradeHook("always", {}),
            upgradeHook("from-1", { from: "<2.0.0", to: ">=2.0.0" }),
            upgradeHook("from-2", { from: "^2", to: "3.x" }),
          ],
        },
      ),
      script("1.0.0", values, { installation_questions: questions }),
    );
    expect(found).toEqual([]);
    expect(coverage).toEqual([
      {
        of: "options",
        reached: 4,
        all: 5,
        missed: ['"folder": no other answer that may work is known'],
      },
      { of: "versions", reached: 1, all: 1, missed: [] },
    ]);
  });

  it("of its own metadata moves from one version to the next, its hooks with it", async () => {
    const custom = (version: string, of: string, hooks: readonly object[]) =>
      script(
        version,
        { image: `app:${of}`, secret: "$RANDOM_STRING(12)" },
        {
          custom: true,
          metadata: { name: "App", description: "d", icon: "app.svg", version: of },
          hooks,
        },
      );
    const moved = upgradeHook("moved", { from: "1.x", to: ">=2" });
    const { found, coverage } = await check(custom("1.1.0", "2.0.0", [moved]), custom("1.0.0", "1.5.0", []));
    expect(found).toEqual([]);
    expect(coverage.at(-1)).toMatchObject({ of: "versions", reached: 1, all: 1 });
    folder.write("app@earlier.json", custom("1.0.0", "1.5.0", []));
    const late = await check(custom("1.1.0", "2.0.0", [upgradeHook("late", { from: "1.x", to: ">=3" })]));
    expect(late.found).toEqual([
      'CHECK_HOOK_NEVER_FIRES hooks.0: hook "late" is for upgrades, and no upgrade fires it',
    ]);
  });

  it("without an earlier version has its options changed, and its coverage says so", async () => {
    const questions = [text("a"), text("b", { required: true })];
    const { found, coverage } = await check(
      script("1.0.0", { a: "$QUESTION(a)", b: "$QUESTION(b)" }, { installation_questions: questions }),
    );
    expect(found).toEqual([]);
    expect(coverage).toEqual([
      { of: "options", reached: 2, all: 2, missed: [] },
      { of: "versions", reached: 0, all: 0, missed: [expect.stringContaining("there is no earlier one")] },
    ]);
  });

  it("may refuse versions, and is not played from those; nor from one that does not install", async () => {
    folder.write("app@0.json", script("0.9.0", {}));
    folder.write(
      "app@1.json",
      script(
        "1.0.0",
        {},
        { ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: { user: "nobody-here" } }] },
      ),
    );
    const { found, coverage } = await check(script("1.1.0", {}));
    expect(found).toEqual([]);
    expect(coverage.at(-1)).toEqual({
      of: "versions",
      reached: 0,
      all: 2,
      missed: [
        "0.9.0 (app@0.json): script 1.1.0 does not admit it",
        expect.stringMatching(/^1\.0\.0 \(app@1\.json\): it does not install: .*nobody-here/),
      ],
    });
  });
});

describe("a new version", () => {
  const asking = (...questions: readonly object[]) => ({ installation_questions: questions });

  it.each<[string, object, object, readonly string[]]>([
    [
      "puts a new generated string in another place than the old one",
      script("1.0.0", { app: { secret: "$RANDOM_STRING(32)" } }),
      script("1.1.0", { app: { session_secret: "$RANDOM_STRING(32)" } }),
      ["CHECK_SECRET_LOST app_values.app.session_secret"],
    ],
    [
      "puts something else where a generated string was",
      script("1.0.0", { app: { secret: "$RANDOM_STRING(32)" } }),
      script("1.1.0", { app: { secret: "none" } }),
      ["CHECK_SECRET_LOST app_values.app.secret"],
    ],
    [
      "renames a question with a generated password, and its place",
      script(
        "1.0.0",
        { app: { pass: "$QUESTION(pass)" } },
        asking(text("pass", { type: "password", default: "$RANDOM_STRING(20)" })),
      ),
      script(
        "1.1.0",
        { app: { word: "$QUESTION(word)" } },
        asking(text("word", { type: "password", default: "$RANDOM_STRING(20)" })),
      ),
      ["CHECK_SECRET_LOST app_values.app.word", "CHECK_ANSWER_LOST installation_questions.0"],
    ],
    [
      "renames a question, and its place",
      script("1.0.0", { app: { user: "$QUESTION(user)" } }, asking(text("user", { default: "admin" }))),
      script("1.1.0", { app: { name: "$QUESTION(name)" } }, asking(text("name", { default: "admin" }))),
      ["CHECK_ANSWER_LOST installation_questions.0"],
    ],
    [
      "puts something else where an answer was, which it does not ask any more",
      script("1.0.0", { app: { user: "$QUESTION(user)" } }, asking(text("user", { default: "admin" }))),
      script("1.1.0", { app: { user: "root" } }),
      ["CHECK_ANSWER_LOST app_values.app.user"],
    ],
    [
      "takes back an option somebody has chosen",
      script(
        "1.0.0",
        { mode: "$QUESTION(mode)" },
        asking({
          ...text("mode", { type: "select", default: "a" }),
          options: [
            { text: "A", value: "a" },
            { text: "B", value: "b" },
          ],
        }),
      ),
      script(
        "1.1.0",
        { mode: "$QUESTION(mode)" },
        asking({ ...text("mode", { type: "select", default: "a" }), options: [{ text: "A", value: "a" }] }),
      ),
      ["CHECK_ANSWER_LOST installation_questions.0"],
    ],
    [
      "can't find an installonly answer again",
      script("1.0.0", { user: "$QUESTION(user)" }, asking(text("user", { required: true, installonly: true }))),
      script("1.1.0", { users: "root,$QUESTION(user)" }, asking(text("user", { required: true, installonly: true }))),
      ["CHECK_INSTALLONLY_LOST installation_questions.0"],
    ],
    [
      "needs an account the host does not have",
      script("1.1.0", {}),
      script(
        "1.1.0",
        { a: 1 },
        { ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: { user: "nobody-here" } }] },
      ),
      ["CHECK_UPGRADE_FAILED script.version"],
    ],
  ])("that %s does not hold", async (_, earlier, newest, codes) => {
    const { found } = await check(newest, earlier);
    expect(found.map((line) => line.split(": ")[0])).toEqual(codes);
  });

  it("that keeps a question's place may rename it, and may drop what nobody asks instead", async () => {
    const { found } = await check(
      script("1.1.0", { user: "$QUESTION(name)" }, asking(text("name", { default: "admin" }))),
      script(
        "1.0.0",
        { user: "$QUESTION(user)", old: "$QUESTION(old)", secret: "$RANDOM_STRING(9)" },
        asking(text("user", { default: "admin" }), text("old", { default: "x" })),
      ),
    );
    expect(found).toEqual([]);
  });
});

describe("a hook of an upgrade", () => {
  it("that can't be met by any two versions is found with its place, as is one that fails and one with a consent", async () => {
    const { found, places } = await check(
      script(
        "1.0.0",
        {},
        {
          hooks: [
            upgradeHook("backwards", { from: ">=2.0.0", to: "<2.0.0" }),
            upgradeHook(
              "fails",
              { from: "3.1.x", to: ">=4" },
              'export async function run(ctx) { ctx.fail("No way"); }',
            ),
            rawHook({
              id: "asks",
              rerun: undefined,
              events: ["onAfterInstall", "onAfterUpgrade"],
              userOptional: { label: "?", default: true },
            }),
          ],
        },
      ),
    );
    expect(found).toEqual([
      'CHECK_HOOK_NEVER_FIRES hooks.0: hook "backwards" is for upgrades, and no upgrade fires it',
      expect.stringMatching(
        /^CHECK_HOOK_FAILED hooks.1: hook "fails" is .* in the upgrade from 3\.1\.\d+ to .*No way$/,
      ),
      'CHECK_HOOK_NEVER_FIRES hooks.2: hook "asks" is for upgrades, and no upgrade fires it',
    ]);
    expect(places.every(([line, column]) => line === 1 && (column ?? 0) > 100)).toBe(true);
  });

  it("that fires against its ranges, or does not although they say so, is found", () => {
    const hooks = [upgradeHook("due", { from: "1.x" }), upgradeHook("idle", { from: "2.x" }), upgradeHook("sound", {})];
    const findings = new Findings({ text: "{}" });
    const fired = ["idle", "sound"].map((hookId) => ({ hookId, state: "COMPLETED" as const }));
    judgeFired(dictionaryOf("app", { hooks }), { from: "1.2.0", to: "1.3.0" }, fired, findings);
    expect(findings.list().map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'CHECK_HOOK_MISFIRED: hook "due" does not fire, although its ranges say so, in the upgrade from 1.2.0 to 1.3.0',
      'CHECK_HOOK_MISFIRED: hook "idle" fires, which its ranges do not say, in the upgrade from 1.2.0 to 1.3.0',
    ]);
  });
});

describe("a changed option", () => {
  it("that the host refuses, and one it does not keep, are found", async () => {
    const boolean = (key: string) => text(key, { type: "boolean", default: false });
    const { found } = await check(
      script(
        "1.0.0",
        {
          ix_context: { a: "$QUESTION(kept)" },
          taken: "$QUESTION(kept)",
          owner: "$QUESTION(owner)",
        },
        {
          installation_questions: [boolean("kept"), boolean("owner")],
          ensure_directories_exists: [
            {
              path: "$LOCATION(Media)/$IF($QUESTION(owner), other, one)",
              owner: { user: "$IF($QUESTION(owner), nobody-here, apps)" },
            },
          ],
        },
      ),
    );
    expect(found).toEqual([
      'CHECK_OPTION_STRAYED installation_questions.0: option "kept" changed to true does not show in "ix_context.a"',
      expect.stringMatching(
        /^CHECK_OPTION_FAILED installation_questions.1: option "owner" changed to true: .*nobody-here/,
      ),
    ]);
  });

  it("shows where the plan says, or not; what changes elsewhere has strayed; what is generated may be anything", () => {
    const judged = judgeOption({
      planned: { before: { a: 1, b: { c: [1] }, d: "x", e: 1 }, after: { a: 2, b: { c: [1, 2] }, d: "R", e: 1 } },
      found: { before: { a: 1, b: { c: [1] }, d: "x", e: 1, f: "s" }, after: { a: 1, b: { c: [1, 2] }, d: "k", e: 2 } },
      isGenerated: (path) => path[0] === "d",
    });
    expect(judged).toEqual({ unseen: [["a"]], strayed: [["e"], ["f"]] });
  });
});

it("of many earlier versions the newest are played, wherever they are read from", () => {
  const at = (version: string) => {
    const dictionary = dictionaryOf("app", { script: { version } });
    return { name: `app@${version}.json`, text: version, dictionary };
  };
  const earlier = ["1.5.0", "1.4.0", "1.3.0", "1.2.0", "1.1.0", "1.6.0"].map(at);
  const newest = { appId: "app", root: folder.path, file: "app.json", problems: [], ...at("1.7.0"), earlier };
  const { played, left } = chooseEarlier(newest);
  expect(played.map(({ text }) => text)).toEqual(["1.6.0", "1.5.0", "1.4.0", "1.3.0", "1.2.0"]);
  expect(left).toEqual(["1.1.0 (app@1.1.0.json): only 5 are played"]);
});
