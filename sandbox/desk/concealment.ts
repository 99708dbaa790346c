/** Stand-ins for a run's secrets: a name for each secret input, other random bytes for each `crypto` value. Pure. */
import { createHash } from "node:crypto";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json/json.ts";
import { createMask, maskJson } from "../../src/core/report/mask.ts";

/** Bytes the script drew, and those that stand for them. */
export interface Draw {
  readonly bytes: Uint8Array;
  readonly shown: Uint8Array;
}

/** Replaces secrets; in forms that are not the script's own (docs/hooks.md) they are masked instead. */
export interface Concealment {
  text(text: string): string;
  json(value: Json): Json;
  bytes(bytes: Uint8Array): Uint8Array;
}

/** A text or number of a secret input. */
export type Secret = string | number;

/** Hides some secrets and draws. Those of fewer than 6 characters are left, as by the mask. */
export function createConcealment(secrets: readonly Secret[], draws: readonly Draw[]): Concealment {
  const masked = takeMasked(draws);
  const pairs = [...nameSecrets(secrets), ...[...masked].flatMap(listForms)];
  const others = draws.filter((draw) => !masked.has(draw)).flatMap(listForms);
  const text = createReplacer(pairs, others);
  // one character a byte, where bytes are no text
  const bytesAsText = createReplacer([...pairs, ...pairs.map(asBytes)], [...others, ...others.map(asBytes)]);
  return {
    text,
    json: (value) => maskJson(replaceNumbers(value, secrets), text),
    bytes: (bytes) => {
      const read = readUtf8(bytes);
      const [before, encoding] =
        read === null ? ([Buffer.from(bytes).toString("latin1"), "latin1"] as const) : ([read, "utf8"] as const);
      const after = read === null ? bytesAsText(before) : text(before);
      return after === before ? bytes : Buffer.from(after, encoding);
    },
  };
}

/** The texts and numbers in a context's secret inputs, at any depth. */
export function listSecrets({ inputs }: JsonObject, secretInputs: readonly string[]): readonly Secret[] {
  return isJsonObject(inputs) ? secretInputs.flatMap((name) => listLeaves(inputs[name] ?? null)) : [];
}

function listLeaves(value: Json): readonly Secret[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listLeaves) : [];
}

/** A context without its secrets: inputs by their place, whatever their length, everything else by value. */
export function concealContext(
  context: JsonObject,
  secretInputs: readonly string[],
  { json }: Concealment,
): JsonObject {
  const secrets = listSecrets(context, secretInputs);
  const shown = Object.entries(context).map(([key, value]) => {
    if (key !== "inputs" || !isJsonObject(value)) return [key, json(value)] as const;
    const inputs = Object.entries(value).map(([name, input]) => [
      name,
      secretInputs.includes(name) ? nameLeaves(input, secrets) : json(input),
    ]);
    return [key, Object.fromEntries(inputs)] as const;
  });
  return Object.fromEntries(shown);
}

/** Bytes for the `index`th draw of a run, by its seed alone. */
export function deriveDraw(seed: string, index: number, length: number): Uint8Array {
  return createHash("shake256", { outputLength: length }).update(`${seed}:${index}`).digest();
}

type Pair = readonly [from: string, to: string];

/** Stands for a number: the first has this one, the next the next. */
const FIRST_NUMBER = 999_000_001;

/** What stands for one of some secrets. */
export function nameSecret(secret: Secret, secrets: readonly Secret[]): Secret {
  const index = secrets.indexOf(secret);
  return typeof secret === "number" ? FIRST_NUMBER + index : `SECRET_${index + 1}`;
}

/** A value of which only its form is left. */
function nameLeaves(value: Json, secrets: readonly Secret[]): Json {
  if (typeof value === "number" || (typeof value === "string" && value !== "")) return nameSecret(value, secrets);
  if (Array.isArray(value)) return value.map((item: Json) => nameLeaves(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, nameLeaves(item, secrets)]));
}

/** Numbers that are secrets, long enough to be known by their value, replaced. */
function replaceNumbers(value: Json, secrets: readonly Secret[]): Json {
  const long = secrets.filter((secret) => typeof secret === "number" && `${secret}`.length >= SHORTEST);
  if (long.length === 0) return value;
  return JSON.parse(JSON.stringify(value), (_, item: Json) =>
    typeof item === "number" && long.includes(item) ? nameSecret(item, secrets) : item,
  );
}

/** The forms a script or an app usually gives a text, each with the name in the same form. */
function nameSecrets(secrets: readonly Secret[]): readonly Pair[] {
  return secrets.flatMap((secret) => {
    const name = nameSecret(secret, secrets);
    return TEXT_FORMS.map((write): Pair => [write(`${secret}`), write(`${name}`)]);
  });
}

const TEXT_FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => new URLSearchParams({ "": text }).toString().slice(1),
  ...(["hex", "base64", "base64url"] as const).map((form) => (text: string) => Buffer.from(text).toString(form)),
];

/** Bytes of draws that are looked for as secrets are, in other forms and in parts: the search grows with them. */
const MASKED_BYTES = 2 * 1024;

/** As many draws as fit: tokens do, what a script draws to fill a file does not. */
function takeMasked(draws: readonly Draw[]): ReadonlySet<Draw> {
  let left = MASKED_BYTES;
  const fitting = draws.filter(({ bytes }) => {
    const isFitting = bytes.byteLength <= left;
    if (isFitting) left -= bytes.byteLength;
    return isFitting;
  });
  return new Set(fitting);
}

/** The forms `node:crypto` and `crypto` themselves give a value; base64 also stands without its padding. */
function listForms({ bytes, shown }: Draw): readonly Pair[] {
  const [from, to] = [Buffer.from(bytes), Buffer.from(shown)];
  const pairs = (["hex", "base64", "base64url", "latin1"] as const).map(
    (form): Pair => [from.toString(form), to.toString(form)],
  );
  pairs.push([withoutPadding(from), withoutPadding(to)]);
  pairs.push([from.toString("hex").toUpperCase(), to.toString("hex").toUpperCase()]);
  if (from.byteLength === UUID_BYTES) pairs.push([writeUuid(from), writeUuid(to)]);
  return pairs;
}

const UUID_BYTES = 16;

/** Version 4 (RFC 9562), as the guest makes it. */
function writeUuid(bytes: Uint8Array): string {
  const marked = Buffer.from(bytes);
  marked[6] = ((marked[6] ?? 0) & 0x0f) | 0x40;
  marked[8] = ((marked[8] ?? 0) & 0x3f) | 0x80;
  return marked.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Replaces the first of each pair by the second; of `pairs` any other form is masked. */
function createReplacer(pairs: readonly Pair[], others: readonly Pair[]): (text: string) => string {
  const byStart = indexPairs([...pairs, ...others]);
  const mask = createMask(pairs.map(([from]) => from));
  return (text) => mask(replacePairs(text, byStart));
}

type PairIndex = ReadonlyMap<string, readonly Pair[]>;

/** Those that are looked for by how they begin, the longest first: one may begin another. */
function indexPairs(pairs: readonly Pair[]): PairIndex {
  const known = pairs.filter(([from]) => from.length >= SHORTEST).sort(([a], [b]) => b.length - a.length);
  return Map.groupBy(known, ([from]) => from.slice(0, SHORTEST));
}

/** In one pass: there may be thousands of pairs, and megabytes of text. */
function replacePairs(text: string, byStart: PairIndex): string {
  let replaced = "";
  let [copied, at] = [0, 0];
  while (at + SHORTEST <= text.length) {
    const pair = byStart.get(text.slice(at, at + SHORTEST))?.find(([from]) => text.startsWith(from, at));
    if (pair === undefined) {
      at += 1;
      continue;
    }
    const [from, to] = pair;
    replaced += text.slice(copied, at) + to;
    at += from.length;
    copied = at;
  }
  return replaced + text.slice(copied);
}

/** Shortest text that is looked for by its value. */
const SHORTEST = 6;

function toByteText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function withoutPadding(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

function asBytes([from, to]: Pair): Pair {
  return [toByteText(from), toByteText(to)];
}

function readUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
