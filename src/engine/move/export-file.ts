/**
 * An export: the apps of one box, as a file that another box installs them from. Data alone: nothing in it is a macro, a
 * script or a file to be read.
 *
 * Invariants:
 * 1. A file is exactly what `writeExport` makes of its contents, byte by byte: a changed one is refused (`digest`).
 * 2. No secret stands in it but in `secrets.sealed`, and that opens only for the rest of the file as it was written.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import { Answers, AppId, Consents, HookId, UpgradePolicies } from "../requests.ts";

/** The shape of the file; a change that an older reader would misread is another number. */
export const EXPORT_VERSION = 1;

/** Longest file, in UTF-16 units. */
export const MAX_EXPORT = 2 * 1024 * 1024;

const Base64 = z.base64();
const Path = z.string().startsWith("/").max(4096);

/** Parameters of scrypt: at least 128 MB a guess, and at most 256 MB whatever a file asks for. */
export const SCRYPT_COSTS = [131_072, 262_144] as const;
const Scrypt = z.strictObject({
  name: z.literal("scrypt"),
  cost: z.literal(SCRYPT_COSTS),
  blockSize: z.literal(8),
  parallelization: z.literal(1),
  /** 16 bytes. */
  salt: Base64.length(24),
});
export type Scrypt = z.infer<typeof Scrypt>;

const Sealed = z.strictObject({
  kdf: Scrypt,
  cipher: z.literal("aes-256-gcm"),
  /** 12 bytes. */
  nonce: Base64.length(16),
  /** The cipher's text and its tag of 16 bytes. */
  sealed: Base64,
});
export type Sealed = z.infer<typeof Sealed>;

/** A list in which nothing stands twice: what is set up is a task of its own, by its name. */
function listOf<Item>(item: z.ZodType<Item>, most: number, nameOf: (item: Item) => unknown = (one) => one) {
  return z
    .array(item)
    .max(most)
    .check(({ value, issues }) => {
      const seen = new Set<unknown>();
      for (const [at, one] of value.entries()) {
        const name = nameOf(one);
        if (seen.has(name)) issues.push({ code: "custom", input: one, path: [at], message: "stands there twice" });
        seen.add(name);
      }
    });
}

const ExportedApp = z
  .strictObject({
    appId: AppId,
    /** The app's version on the host it comes from. */
    version: z.string().max(200),
    /** What it was set up with; the hash is of the file's bytes, where the catalog had that version. */
    script: z.strictObject({ version: z.string().max(100), sha256: z.hash("sha256").exactOptional() }).readonly(),
    answers: Answers,
    consents: Consents,
  })
  .readonly();
export type ExportedApp = z.infer<typeof ExportedApp>;

const ExportedLink = z
  .strictObject({ runsOnAppId: AppId, hookId: HookId, targets: listOf(AppId, 100).min(1).readonly() })
  .readonly();
export type ExportedLink = z.infer<typeof ExportedLink>;

/** What a file says in the clear. */
export const ExportContents = z.strictObject({
  slipway: z.literal("export"),
  version: z.literal(EXPORT_VERSION),
  made: z.iso.datetime(),
  /** Where the locations of the old box are, by id: answers that lie below them move along. */
  locations: z.record(z.string().max(100), Path).readonly(),
  apps: listOf(ExportedApp, 1000, ({ appId }) => appId).readonly(),
  links: listOf(ExportedLink, 10_000, ({ runsOnAppId, hookId }) => JSON.stringify([runsOnAppId, hookId])).readonly(),
  policies: UpgradePolicies,
});
export type ExportContents = z.infer<typeof ExportContents>;

/** A whole file. */
export const ExportFile = ExportContents.extend({
  secrets: Sealed.exactOptional(),
  digest: z.hash("sha256"),
});
export type ExportFile = z.infer<typeof ExportFile>;

/** What is sealed: answers that are secret, and generated strings by their place in the script, by app id. */
export const ExportedSecrets = z.record(
  AppId,
  z.strictObject({ answers: Answers, randoms: z.record(z.string(), z.string()).readonly() }).readonly(),
);
export type ExportedSecrets = z.infer<typeof ExportedSecrets>;

/** The text of a file. */
export function writeExport(contents: ExportContents, secrets: Sealed | null): string {
  const vouched = { ...contents, ...(secrets !== null && { secrets }) };
  return formatFile({ ...vouched, digest: digest(JSON.stringify(vouched)) });
}

/** Whether a text is what `writeExport` has made of the value it holds. */
export function isAsWritten(text: string, file: JsonObject): boolean {
  const { digest: found, ...vouched } = file;
  return formatFile(file) === text && digest(JSON.stringify(vouched)) === found;
}

/** What a seal vouches for beside its own text: all else the file says, and how the seal was made. */
export function describeClear(contents: JsonObject, { sealed: _, ...seal }: JsonObject): string {
  const { secrets: _secrets, digest: _digest, ...clear } = contents;
  return JSON.stringify({ ...clear, seal });
}

function formatFile(file: object): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
