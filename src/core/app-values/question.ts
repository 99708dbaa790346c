/** The question language of catalog apps: what an app says about each of its values. */
import type { Json } from "../json/json.ts";

/** The types of a question. `text` is a string without the limit of 1,024 characters. */
export const VALUE_TYPES = [
  "string",
  "text",
  "int",
  "boolean",
  "dict",
  "list",
  "hostpath",
  "path",
  "uri",
  "ipaddr",
] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** One condition of `show_if`: a sibling equals a value, or does not. */
export interface ShowIf {
  readonly key: string;
  readonly negated: boolean;
  readonly value: Json;
}

/** What an app says about one of its values. */
export interface ValueQuestion {
  readonly key: string;
  readonly type: ValueType;
  /** e.g. `definitions/certificate`: what the host adds to the question from its own state. */
  readonly refs: readonly string[];
  readonly required: boolean;
  /** Whether null is a value. */
  readonly nullable: boolean;
  /** Whether an installed app keeps the value it was created with. */
  readonly immutable: boolean;
  /** Absent if the question has none. The host fills it in without checking it. */
  readonly default?: Json;
  /** The values of `enum`; null if any value is allowed. */
  readonly choices: readonly Json[] | null;
  /** Of an int its bounds, of a list its number of items. */
  readonly min?: number;
  readonly max?: number;
  /** Characters of a text. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Has to match at the start of a text. */
  readonly validChars?: string;
  /** All have to hold, else the host hides the question and requires no value. */
  readonly showIf: readonly ShowIf[];
  /** Members of a dict, kinds of items of a list. A dict without members takes any. */
  readonly parts: readonly ValueQuestion[];
}

/** The values one version of a catalog app accepts. */
export interface AppSchema {
  readonly app: string;
  readonly train: string;
  readonly version: string;
  readonly questions: readonly ValueQuestion[];
}

/** Longest `string`, `path`, `hostpath` in characters where the question names no other limit. */
export const MAX_VALUE_TEXT = 1_024;
