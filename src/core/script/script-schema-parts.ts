/** Schemas several parts of an install script share. An `error` text says what is allowed; the rules quote it. */
import validRange from "semver/ranges/valid.js";
import { z } from "zod";
import { MAX_ID } from "./script-words.ts";

/** A text with at least one character. */
export const defineFilledText = () => z.string().min(1, { error: "a string that is not empty" });

/** An id that requests name, with at least one character. */
export const defineId = () => defineFilledText().max(MAX_ID, { error: `at most ${MAX_ID} characters` });

// The regular expression of semver.org, so that editors check it too.
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

/** A semantic version. */
export const defineVersion = () => z.string().regex(SEMVER, { error: 'a semantic version such as "1.2.3"' });

/** A range of semantic versions. */
export const defineRange = () =>
  z.string().refine((text) => text.trim() !== "" && validRange(text) !== null, {
    error: 'a range of semantic versions such as ">=1.2.0 <2.0.0"',
  });

/** A count from 0. */
export const count = () => z.int({ error: "a whole number" }).min(0, { error: "a whole number of at least 0" });

/** One of a closed set. */
export const defineOneOf = <const Words extends readonly [string, ...string[]]>(words: Words) => z.enum(words);

/** A path of a TypeScript file in the catalog; whether it stays inside is a rule of its own. */
export const defineScriptPath = () => z.string().regex(/\.ts$/, { error: 'the path of a ".ts" file in the catalog' });

/** A fully qualified web address. */
export const defineWebAddress = () =>
  z.url({ protocol: /^https?$/, error: "a fully qualified address that starts with http:// or https://" });

/** Exactly one of `script` and `scriptContent`, for the JSON Schema; in the parser it is a rule of its own. */
export const EXACTLY_ONE_SOURCE = {
  oneOf: ["script", "scriptContent"].map((source) => ({ required: [source], properties: { [source]: {} } })),
};
