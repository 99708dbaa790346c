/** Rows that look at the script as a whole. */

import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import { APP_ID, APP_ID_WORDS } from "../../script/app-id.ts";
import { isInsideCatalog } from "../../script/catalog-path.ts";
import { getOwn, isTrueAt, readList, readNumber, readObject, readText } from "../../script/parse/read-fields.ts";
import type { UncodedDiagnostic } from "../diagnostic.ts";
import { makeQuestion, makeScript } from "../example.ts";
import type { Dialect } from "../field-issue.ts";
import { findRepeats } from "../repeats.ts";
import { quote, reportWhen, type SubjectRule } from "../row.ts";

/** A value that may be no script at all. */
export interface ScriptSubject {
  readonly appId: string;
  readonly value: Json;
}

/** Rows that decide whether the tables of a version apply: an error here leaves no sense to any other row. */
export const GATE_RULES = {
  SCRIPT_NOT_OBJECT: {
    title: "An install script is a JSON object",
    hint: "write an object with the fields of an install script",
    see: 'docs/install-scripts.md, "A first script"',
    severity: "error",
    find: ({ value }) =>
      reportWhen(!isJsonObject(value), () => ({ path: [], message: "the install script is not an object" })),
    bad: "[]",
    good: makeScript(),
  },
  SCRIPT_VERSION_DEPRECATED: {
    title: "Script versions 1 to 3 are deprecated and not read",
    hint: 'rewrite the script for "version": 6 (5 with lifecycle hooks only, 4 with neither hooks nor widgets)',
    see: 'docs/install-scripts.md, "Versions"',
    severity: "error",
    find: ({ value }) =>
      reportWhen([1, 2, 3].includes(readVersion(value) ?? 0), () => ({
        path: ["version"],
        message: `version ${readVersion(value)} is deprecated; allowed are 4, 5 and 6`,
      })),
    bad: makeScript({ version: 3 }),
    good: makeScript({ version: 4 }),
  },
  SCRIPT_VERSION_UNSUPPORTED: {
    title: "The script's version is not one that is read",
    hint: 'write "version": 6, 5 or 4',
    see: 'docs/install-scripts.md, "Versions"',
    severity: "error",
    find: ({ value }) =>
      reportWhen(isJsonObject(value) && ![1, 2, 3, 4, 5, 6].includes(readVersion(value) ?? 0), () => {
        const written = isJsonObject(value) ? getOwn(value, "version") : undefined;
        if (written === undefined) return { path: [], message: 'the script has no "version"; allowed are 4, 5 and 6' };
        return { path: ["version"], message: `version ${quote(written)} is not supported; allowed are 4, 5 and 6` };
      }),
    bad: makeScript({ version: 7 }),
    good: makeScript({ version: 6 }),
  },
} as const satisfies Record<string, SubjectRule<ScriptSubject>>;

function readVersion(value: Json): number | undefined {
  return isJsonObject(value) ? readNumber(value, "version") : undefined;
}

/** A script of a version that is read. */
export interface SupportedScript {
  readonly appId: string;
  readonly script: JsonObject;
  readonly dialect: Dialect;
}

/** The row about the file's name, which an example's text can't show. */
export const NAME_RULE = {
  SCRIPT_APP_ID_INVALID: {
    title: "The file's base name is not an app id",
    hint: `name the file with ${APP_ID_WORDS}`,
    see: "docs/decisions.md, section 1",
    severity: "error",
    find: ({ appId }: SupportedScript) =>
      reportWhen(!APP_ID.test(appId), () => ({
        path: [],
        message: `the file's base name ${quote(appId)} is not an app id: the host refuses an app of that name`,
      })),
  },
} as const satisfies Record<string, Omit<SubjectRule<SupportedScript>, "bad" | "good">>;

/** Rows about the script itself: an error refuses it. */
export const SCRIPT_RULES = {
  SCRIPT_METADATA_MISSING: {
    title: "A custom app has no metadata",
    hint: 'add "metadata" with "name", "description", "icon" and "version"',
    see: 'docs/install-scripts.md, "Metadata"',
    severity: "error",
    find: ({ script }) =>
      reportWhen(isTrueAt(script, "custom") && getOwn(script, "metadata") === undefined, () => ({
        path: ["custom"],
        key: true,
        message: 'the script is "custom" but has no "metadata"',
      })),
    bad: makeScript({ custom: true }),
    good: makeScript({ custom: true, metadata: makeMetadata("https://example.com/icon.svg") }),
  },
  SCRIPT_ICON_INVALID: {
    title: "The icon is neither a web address nor the path of an image in the catalog",
    hint: "write an http(s) address, or a path in the catalog that ends in .svg or .png",
    see: 'docs/install-scripts.md, "Metadata"; docs/decisions.md, section 1',
    severity: "error",
    find: ({ script }) => {
      const icon = readText(readObject(script, "metadata") ?? {}, "icon");
      return reportWhen(icon !== undefined && icon !== "" && !isIcon(icon), () => ({
        path: ["metadata", "icon"],
        message: `icon ${quote(icon)} is neither an http(s) address nor the path of an SVG or PNG file in the catalog`,
      }));
    },
    bad: makeScript({ custom: true, metadata: makeMetadata("../icon.svg") }),
    good: makeScript({ custom: true, metadata: makeMetadata("https://example.com/icon.svg") }),
  },
  SCRIPT_ICON_TYPE: {
    title: "The icon's address is that of a picture that is neither SVG nor PNG",
    hint: "name an SVG or PNG picture",
    see: 'docs/install-scripts.md, "Metadata"; docs/decisions.md, section 1',
    severity: "warning",
    find: ({ script }) => {
      const icon = readText(readObject(script, "metadata") ?? {}, "icon") ?? "";
      return reportWhen(/^https?:/i.test(icon) && OTHER_PICTURE.test(URL.parse(icon)?.pathname ?? ""), () => ({
        path: ["metadata", "icon"],
        message: `icon ${quote(icon)} is neither an SVG nor a PNG picture`,
      }));
    },
    bad: makeScript({ custom: true, metadata: makeMetadata("https://example.com/icon.jpg") }),
    good: makeScript({ custom: true, metadata: makeMetadata("https://example.com/icon.svg") }),
  },
  SCRIPT_WIDGETS_SCHEMA_MISSING: {
    title: 'Widgets without "widgetsSchema" are not read',
    hint: 'add "widgetsSchema": 2',
    see: 'docs/install-scripts.md, "Script6"; docs/decisions.md, section 1',
    severity: "warning",
    find: ({ script, dialect }) =>
      reportWhen(
        dialect === 6 && getOwn(script, "widgets") !== undefined && getOwn(script, "widgetsSchema") === undefined,
        () => ({
          path: ["widgets"],
          key: true,
          message: 'the script has "widgets" but no "widgetsSchema", so none of them are read',
        }),
      ),
    bad: makeScript({ widgets: [] }),
    good: makeScript({ widgetsSchema: 2, widgets: [] }),
  },
  QUESTION_KEY_DUPLICATE: {
    title: "Two questions have one key",
    hint: "give every question a key of its own",
    see: 'docs/install-scripts.md, "Questions"',
    severity: "error",
    find: ({ script }) => {
      const questions = readList(script, "installation_questions");
      const keys = questions.map((question) => (isJsonObject(question) ? readText(question, "key") : undefined));
      return findRepeats(keys).map(({ index, first }) => ({
        path: ["installation_questions", index, "key"],
        message: `question key ${quote(keys[index])} is used twice; keys must be unique`,
        related: [{ path: ["installation_questions", first, "key"], message: "the first one" }],
      }));
    },
    bad: makeScript({ installation_questions: [makeText("name"), makeText("name")] }),
    good: makeScript({
      installation_questions: [makeText("name"), makeText("nick")],
      app_values: { names: "$QUESTION(name) $QUESTION(nick)" },
    }),
  },
  QUESTION_OPTIONS_MISSING: {
    title: "A select question has no options",
    hint: 'add "options": [{"text": ..., "value": ...}]',
    see: 'docs/install-scripts.md, "Questions"',
    severity: "error",
    find: ({ script }) => [
      ...listQuestions(script).flatMap(({ question, index }) =>
        reportMissingOptions(question, ["installation_questions", index]),
      ),
    ],
    bad: makeQuestion({ type: "select" }),
    good: makeQuestion({ type: "select", options: [{ text: "One", value: "1" }] }),
  },
  QUESTION_DEFAULT_NOT_OPTION: {
    title: "The default of a select question is not one of its options",
    hint: "make the default the value of one of the options",
    see: 'docs/install-scripts.md, "Questions"',
    severity: "error",
    find: ({ script }) =>
      listQuestions(script).flatMap(({ question, index }) =>
        reportStrayDefault(question, ["installation_questions", index]),
      ),
    bad: makeQuestion({ type: "select", options: [{ text: "One", value: "1" }], default: "2" }),
    good: makeQuestion({ type: "select", options: [{ text: "One", value: "1" }], default: "1" }),
  },
  QUESTION_DEFAULT_TYPE: {
    title: "The default of a question is not of the question's type",
    hint: "write the default as a value of the question's type",
    see: 'docs/install-scripts.md, "Questions"',
    severity: "warning",
    find: ({ script }) =>
      listQuestions(script).flatMap(({ question, index }) => {
        const value = getOwn(question, "default");
        const type = readText(question, "type");
        const wrong =
          (type === "number" && typeof value !== "number") || (type === "boolean" && typeof value !== "boolean");
        if (isOpen(value) || !wrong) return [];
        const path = ["installation_questions", index, "default"];
        return [{ path, message: `default ${quote(value)} is not of the question's type, ${type}` }];
      }),
    bad: makeQuestion({ type: "number", default: "many" }),
    good: makeQuestion({ type: "number", default: 3 }),
  },
} as const satisfies Record<string, SubjectRule<SupportedScript>>;

/** Whether a default can't be judged: there is none, or a macro decides it. */
function isOpen(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || (typeof value === "string" && value.includes("$"));
}

/** Paths of pictures by their names; one without an ending may be served as SVG or PNG. */
const OTHER_PICTURE = /\.(?:jpe?g|jfif|gif|webp|avif|bmp|ico|tiff?|heic|heif|jxl|apng)$/i;

function isIcon(icon: string): boolean {
  if (/^https?:\/\//i.test(icon)) return URL.canParse(icon);
  return isInsideCatalog(icon) && /\.(svg|png)$/i.test(icon);
}

function listQuestions(script: JsonObject): { question: JsonObject; index: number }[] {
  return readList(script, "installation_questions").flatMap((question, index) =>
    isJsonObject(question) ? [{ question, index }] : [],
  );
}

/** A diagnostic for a `select` without choices, at its type. */
export function reportMissingOptions(
  question: JsonObject,
  path: readonly (string | number)[],
): readonly UncodedDiagnostic[] {
  return reportWhen(readText(question, "type") === "select" && readList(question, "options").length === 0, () => ({
    path: [...path, "type"],
    message: `question ${quote(readText(question, "key"))} is a "select" but has no options`,
  }));
}

/** A diagnostic for the default of a `select` that is none of its options. */
export function reportStrayDefault(
  question: JsonObject,
  path: readonly (string | number)[],
): readonly UncodedDiagnostic[] {
  const value = getOwn(question, "default");
  const options = readList(question, "options").flatMap((option) =>
    isJsonObject(option) ? [getOwn(option, "value")] : [],
  );
  if (readText(question, "type") !== "select" || isOpen(value) || options.length === 0) return [];
  return reportWhen(!options.some((option) => String(option) === String(value)), () => ({
    path: [...path, "default"],
    message: `default ${quote(value)} is not one of the options; allowed are ${options.map(quote).join(", ")}`,
  }));
}

function makeText(key: string): Record<string, unknown> {
  return { question: "Name?", type: "text", key };
}

function makeMetadata(icon: string): Record<string, unknown> {
  return { name: "Example", description: "An example", icon, version: "1.0.0" };
}
