/** Texts of a script that people read: freed of what deceives them, and the author is told. */
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json } from "../../../src/core/json/json.ts";
import { listTexts } from "../../../src/core/json/list-texts.ts";
import { parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";
import { rawHook, rawScript } from "../../support/scripts/scripts.ts";

const TURNED = "Photos \u202etxet";
const PLAIN = "Photos txet";

const TOLD = "the text holds U+202E, which is left out where people read it";

const question = {
  question: TURNED,
  description: TURNED,
  placeholder: TURNED,
  options: [{ text: TURNED, value: TURNED }],
};
const oauth = {
  type: "oauth",
  id: "in",
  name: TURNED,
  description: TURNED,
  provider: TURNED,
  flow: {
    type: "pin",
    pinUrl: "https://a.test/pin",
    authUrl: "https://a.test/{clientId}/{code}",
    pollUrl: "https://a.test/{pinId}",
    clientId: "c",
    tokenField: "t",
  },
};

/** A script whose every text for people is turned around. */
const SCRIPT = rawScript({
  custom: true,
  metadata: { name: TURNED, description: TURNED, icon: "https://example.com/icon.svg", version: "1.0.0" },
  script: { version: "1.0.0", changeLog: TURNED },
  installation_questions: [{ ...question, key: "q", type: "select", group: TURNED, default: TURNED }],
  app_values: { note: TURNED, q: "$QUESTION(q)" },
  hooks: [
    rawHook({
      title: TURNED,
      description: TURNED,
      events: ["onAfterInstall"],
      rerun: undefined,
      userOptional: { description: TURNED, link: { url: "https://example.com", label: TURNED } },
      inputs: [oauth, { type: "question", id: "own", question: { ...question, key: "own", type: "select" } }],
    }),
  ],
  widgetsSchema: 2,
  widgets: [
    { id: "w", title: TURNED, description: TURNED, scriptContent: "export function run() {}", entrypoint: "run" },
  ],
});

const parse = (script: object) => parseDictionary({ appId: "own", text: JSON.stringify(script) });

/** The texts that are still turned around, by their place. */
function listTurned(value: Json, path = ""): readonly string[] {
  if (typeof value === "string") return value.includes("\u202e") ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => listTurned(item, `${path}.${index}`));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => listTurned(item, `${path}.${key}`)) : [];
}

describe("a text for people", () => {
  const { dictionary, problems } = parse(SCRIPT);

  it("that turns the words around it is kept without what turns them", () => {
    const read: Json = JSON.parse(JSON.stringify(dictionary));
    expect(listTurned(read)).toEqual([
      ".questions.0.options.0.value",
      ".questions.0.default",
      ".appValues.note",
      ".hooks.0.inputs.1.question.options.0.value",
    ]);
    expect(listTexts(read).filter((text) => text === PLAIN).length).toBeGreaterThan(17);
  });

  it("is a warning at its place, which names the character", () => {
    const found = problems.filter(({ code }) => code === "SCRIPT_TEXT_DECEIVES");
    expect(found).toHaveLength(20);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(found.map(({ path }) => path.join("."))).toContain("hooks.0.inputs.1.question.options.0.text");
    for (const { severity, message } of found) expect([severity, message]).toEqual(["warning", TOLD]);
  });

  it.each([
    ["line ends", "", { metadata: { name: "a\nb", description: "a\r\nb\tc" } }, []],
    ["a changelog", "U+001B", { script: { version: "1.0.0", changeLog: "a\u001b[2J" } }, [["script", "changeLog"]]],
    ["a changelog of lines", "", { script: { version: "1.0.0", changeLog: "a\r\n\tb\nc" } }, []],
    ["emoji", "", { script: { version: "1.0.0", changeLog: "\u{1f469}\u200d\u{1f4bb}" } }, []],
  ])("is looked at by what it may hold: %s", (_, character, part, places) => {
    const found = parse(rawScript(part)).problems.filter(({ code }) => code === "SCRIPT_TEXT_DECEIVES");
    expect(found.map(({ path }) => path)).toEqual(places);
    for (const { message } of found) expect(message).toContain(character);
  });

  it("refuses no script however often it is wrong", () => {
    const questions = Array.from({ length: 300 }, (_, at) => ({ key: `q${at}`, type: "text", question: TURNED }));
    const values = Object.fromEntries(questions.map((_, at) => [`v${at}`, `$QUESTION(q${at})`]));
    const many = parse(rawScript({ installation_questions: questions, app_values: values }));
    expect(many.dictionary?.questions.every((asked) => asked.question === PLAIN)).toBe(true);
  });

  it("is the id of a version 5 hook that has no other", () => {
    const hook = {
      id: "a\u202eb",
      event: "onAfterInstall",
      scriptContent: "export function run() {}",
      entrypoint: "run",
    };
    const [read] = parse(rawScript({ version: 5, hooks: [hook] })).dictionary?.hooks ?? [];
    expect(read).toMatchObject({ id: "a\u202eb", title: "ab" });
  });
});

it("a problem that quotes what deceives its reader shows it", () => {
  const { problems } = parse(rawScript({ "na\u202eme": 1 }));
  expect(problems.map(({ message }) => message).join()).toContain(String.raw`na\u202eme`);
});
