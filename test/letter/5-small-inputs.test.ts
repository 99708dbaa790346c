/** Small inputs that failed, each with the right value: events one letter off, line ends, retries, undeclared targets. */
import { expect, it } from "vitest";
import { validate } from "../../src/cli/workbench/validate-files.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { on, rawHook, rawScript } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const parse = (hook: object) =>
  parseDictionary({ appId: "demo", text: JSON.stringify(rawScript({ hooks: [rawHook({ ...hook })] })) });

it.each([
  ["onAfterInstal", "onAfterInstall"],
  ["onBeforeUpgarde", "onBeforeUpgrade"],
  ["userActions", "userAction"],
])("an event %s is a warning that names %s", (event, meant) => {
  expect(parse({ events: [event, "onBeforeInstall", "userAction"] }).problems).toMatchObject([
    { code: "HOOK_EVENT_MISSPELT", severity: "warning", path: ["hooks", 0, "events", 0], hint: `write "${meant}"` },
  ]);
});

it("an event that is far from all is an info", () => {
  expect(parse({ events: ["onMoonrise", "userAction"] }).problems).toMatchObject([
    { code: "HOOK_EVENT_FUTURE", severity: "info" },
  ]);
});

it.each(["First line\n\rsecond line", "a\r\nb", "a\tb", "a\rb"])("line ends and tabs deceive nobody: %j", (text) => {
  expect(parse({ title: text, description: text }).problems).toEqual([]);
});

it("a text that turns around is still found, behind a line end too", () => {
  expect(parse({ title: "a\n\u202eb" }).problems).toMatchObject([
    { code: "SCRIPT_TEXT_DECEIVES", message: expect.stringContaining("U+202E") },
  ]);
});

it("retries go up to 100, more are read as 100", () => {
  expect(parse({ retries: 100 })).toMatchObject({ problems: [], dictionary: { hooks: [{ retries: 100 }] } });
  expect(parse({ retries: 101 })).toMatchObject({
    problems: [{ code: "HOOK_RETRIES_CLAMPED", severity: "warning" }],
    dictionary: { hooks: [{ retries: 100 }] },
  });
});

it("a condition's app that no file of a catalog declares is an info, in a single file nothing", async () => {
  const script = rawScript({ hooks: [rawHook({ conditions: [on("othr"), on("plex")] })] });
  const file = folder.write("demo.json", script);
  folder.write("other.json", rawScript());
  folder.write("plex.json", rawScript());
  const of = async (path: string) =>
    (await validate([path])).flatMap(({ problems }) =>
      problems.map(({ code, severity, path: at, hint }) => [code, severity, at, hint]),
    );
  expect(await of(folder.path)).toEqual([
    ["CATALOG_TARGET_UNDECLARED", "info", ["hooks", 0, "conditions", 0, "app"], 'write "other" if that is meant'],
  ]);
  expect(await of(file)).toEqual([]);
});
