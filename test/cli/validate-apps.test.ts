/** `slipway validate --apps`: values held against the schemas of the host's catalog. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Problem } from "../../src/core/codes/problems.ts";
import { runCommand } from "../support/command-line.ts";
import { findAppSchemasFile, readAppSchemas } from "../support/scripts/app-schemas.ts";
import { realScripts } from "../support/scripts/real-catalog.ts";
import { rawScript } from "../support/scripts/scripts.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-validate-apps-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const QUESTIONS = [{ variable: "port", schema: { type: "int", min: 1, max: 65_535 } }];

function write(path: string, content: string | object): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return file;
}

/** The problems about values, as `NAME:LINE:COLUMN SEVERITY CODE`. */
async function validate(path: string, apps: string): Promise<readonly string[]> {
  const { stdout } = await runCommand("validate", path, "--apps", apps, "--format", "json");
  const { files }: { files: { file: string; problems: Problem[] }[] } = JSON.parse(stdout);
  return files.flatMap(({ file, problems }) =>
    problems
      .filter(({ code }) => code.startsWith("VALUE_"))
      .map(({ line, column, severity, code }) => `${file.split("/").at(-1)}:${line}:${column} ${severity} ${code}`),
  );
}

const [schemas, scripts] = [findAppSchemasFile(), realScripts()];

/** The findings of the facts: 2 unknown keys, 2 that depend on the host, 1 on an answer, 2 kept otherwise than sent. */
const KNOWN = [
  "actual-budget.json:36:25 info VALUE_HOST",
  "immich.json:25:5 warning VALUE_UNKNOWN",
  "jellystat.json:44:22 info VALUE_COERCED",
  "paperless-ngx.json:78:13 warning VALUE_UNKNOWN",
  "vaultwarden.json:69:24 info VALUE_COERCED",
  "vaultwarden.json:71:25 info VALUE_HOST",
  "vaultwarden.json:72:17 warning VALUE_FORM",
];

it.skipIf(schemas === null || scripts === null)(
  "the 20 real scripts have the 7 known findings and no other",
  async () => {
    expect(await validate(scripts?.folder ?? "", schemas ?? "")).toEqual(KNOWN);
  },
);

it.skipIf(schemas === null || scripts === null)("a checkout of the host's catalog says the same", async () => {
  for (const [key, entry] of Object.entries(readAppSchemas())) {
    if (typeof entry !== "object" || entry === null || !("version" in entry) || !("questions" in entry)) continue;
    if (!scripts?.ids.includes(key.split("/")[1] ?? "")) continue;
    const text = stringify({ groups: [], questions: entry.questions });
    write(`trains/${key}/${String(entry.version)}/questions.yaml`, text);
    write(`trains/${key}/0.0.1/questions.yaml`, "questions: []");
  }
  expect(await validate(scripts?.folder ?? "", folder)).toEqual(KNOWN);
});

it("an app in two trains has the schema of stable, in a file and in a checkout", async () => {
  const script = write("scripts/shelf.json", rawScript({ app_values: { port: 0 } }));
  const others = [{ variable: "other", schema: { type: "int" } }];
  const entries = [
    { app: "shelf", train: "community", version: "9.0.0", questions: others },
    { app: "shelf", train: "stable", version: "1.0.0", questions: QUESTIONS },
  ];
  for (const { train, app, version, questions } of entries) {
    write(`catalog/trains/${train}/${app}/${version}/questions.yaml`, stringify({ questions }));
  }
  const found = [expect.stringMatching(/^shelf.json:\d+:\d+ warning VALUE_RANGE$/)];
  expect(await validate(script, write("all.json", entries))).toEqual(found);
  expect(await validate(script, join(folder, "catalog"))).toEqual(found);
});

it("the questions of a checkout are YAML 1.1, as its publisher reads them", async () => {
  const script = write("scripts/shelf.json", rawScript({ app_values: { enabled: false, port: 80 } }));
  const text = `questions:
  - variable: enabled
    schema: {type: boolean, default: yes}
  - variable: port
    schema:
      type: int
      show_if: [["enabled", "=", yes]]
`;
  write("catalog/trains/stable/shelf/1.0.0/questions.yaml", text);
  expect(await validate(script, join(folder, "catalog"))).toEqual([expect.stringContaining("info VALUE_HIDDEN")]);
});

it("an app the catalog does not have is a warning that names the nearest", async () => {
  const script = write("scripts/crafty4.json", rawScript());
  const apps = write("all.json", [{ app: "crafty-4", train: "community", version: "1.0.0", questions: [] }]);
  const { stdout } = await runCommand("validate", script, "--apps", apps);
  expect(stdout).toContain(`warning VALUE_APP_UNKNOWN: the host's catalog has no app "crafty4"`);
  expect(stdout).toContain('hint: name the file "crafty-4.json", if that is the app');
});

it.each([
  ["text that is no YAML", "questions: [1", "must be sufficiently indented"],
  ["brackets without end", `questions: ${"[".repeat(20_000)}`, "Maximum call stack size exceeded"],
  ["aliases of aliases", makeAliases(), "Excessive alias count"],
  ["a list alone", "- a", "it is no mapping"],
  ["a type nobody knows", "questions: [{variable: a, schema: {type: colour}}]", 'the type "colour" is not known'],
  ["more than 1 MB", `# ${"x".repeat(1024 * 1024)}`, "TOO_LARGE"],
])("%s leaves the values unjudged, with a warning", async (_, text, reason) => {
  const script = write("scripts/shelf.json", rawScript({ app_values: { port: "x" } }));
  write("catalog/trains/stable/shelf/1.0.0/questions.yaml", text);
  const { stdout } = await runCommand("validate", script, "--apps", join(folder, "catalog"));
  expect(stdout).toContain("warning VALUE_SCHEMA_INVALID");
  expect(stdout).toContain(reason);
});

function makeAliases(): string {
  const nine = (name: string) => `[${Array.from({ length: 9 }, () => `*${name}`).join(", ")}]`;
  return `a: &a [1]\nb: &b ${nine("a")}\nc: &c ${nine("b")}\nd: &d ${nine("c")}\ne: ${nine("d")}\n`;
}

it("a link that leads out of the checkout is not followed", async () => {
  const script = write("scripts/shelf.json", rawScript());
  const outside = write("outside.yaml", "questions: []");
  mkdirSync(join(folder, "catalog/trains/stable/shelf/1.0.0"), { recursive: true });
  symlinkSync(outside, join(folder, "catalog/trains/stable/shelf/1.0.0/questions.yaml"));
  expect(await validate(script, join(folder, "catalog"))).toEqual([
    expect.stringContaining("warning VALUE_SCHEMA_INVALID"),
  ]);
});

it.each([
  ["a file that is not there", "none.json", "CLI_FILE_UNREADABLE"],
  ["a file without schemas", "empty.json", "CLI_FILE_INVALID"],
  ["a folder without trains", "scripts", "CLI_FILE_INVALID"],
])("%s is refused", async (_, apps, code) => {
  const script = write("scripts/shelf.json", rawScript());
  write("empty.json", {});
  const { stderr, exitCode } = await runCommand("validate", script, "--apps", join(folder, apps));
  expect(stderr).toContain(code);
  expect(exitCode).toBe(2);
});

it("a custom app that holds a compose file is an error without --apps too", async () => {
  const metadata = { name: "Shelf", description: "Books", icon: "https://example.com/i.svg", version: "1.0.0" };
  const values = { services: { web: { image: "example/shelf:1" } } };
  const script = write("scripts/shelf.json", rawScript({ custom: true, metadata, app_values: values }));
  const { stdout, exitCode } = await runCommand("validate", script);
  expect(stdout).toContain('error VALUE_NOT_GENERIC: "services" is no value of the generic app');
  expect(stdout).toContain('docs/install-scripts.md, "Values of a custom app"');
  expect(exitCode).toBe(1);
});

it.skipIf(schemas === null || scripts === null)(
  "check shows the findings at level 1, and how many values were judged",
  async () => {
    cpSync(join(scripts?.folder ?? "", "paperless-ngx.json"), join(folder, "paperless-ngx.json"));
    const { stdout } = await runCommand(
      "check",
      "--catalog",
      folder,
      "--level",
      "1",
      "--apps",
      schemas ?? "",
      "--format",
      "json",
    );
    expect(stdout).toContain("VALUE_UNKNOWN");
    const { apps } = JSON.parse(stdout);
    expect(JSON.stringify(apps)).toContain('{"of":"values","reached":40,"all":41,"missed":["storage.export"]}');
  },
);
