/** What a trial found, as a file that can be sent to others. */
import { isIP } from "node:net";
import { hostname } from "node:os";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { createMask } from "../../src/core/report/mask.ts";
import { writeNamed } from "../../src/files/write-below.ts";
import type { TryOptions } from "./options.ts";

const Check = z.strictObject({
  what: z.string(),
  ok: z.boolean(),
  expected: z.unknown(),
  found: z.unknown(),
});
const Step = z.strictObject({
  step: z.string(),
  state: z.enum(["passed", "failed", "skipped"]),
  /** Why it was skipped, or the error it ended with. */
  reason: z.string().optional(),
  seconds: z.number(),
  checks: z.array(Check),
  /** What the engine's task says about itself. */
  marks: z.array(z.string()),
});
const Leftover = z.strictObject({ what: z.string(), why: z.string(), byHand: z.string() });

/** The report file. */
export const Report = z.strictObject({
  format: z.literal("slipway-try-host/1"),
  slipway: z.string(),
  node: z.string(),
  started: z.string(),
  host: z.strictObject({ version: z.string(), app: z.string() }).optional(),
  /** The engine had a way to the host's files: its own path, or `--local-root`. */
  seesFiles: z.boolean(),
  ended: z.enum(["whole", "interrupted", "refused", "failed"]),
  /** Why the trial was refused or ended early. */
  reason: z.string().optional(),
  steps: z.array(Step),
  /** What the clean-up could not remove. */
  left: z.array(Leftover),
});
export type Report = z.infer<typeof Report>;
export type Step = z.infer<typeof Step>;
export type Check = z.infer<typeof Check>;
export type Leftover = z.infer<typeof Leftover>;

/** An empty report. */
export function createReport(now: Date): Report {
  return {
    format: "slipway-try-host/1",
    slipway: packageJson.version,
    node: process.version,
    started: now.toISOString(),
    seesFiles: false,
    ended: "failed",
    steps: [],
    left: [],
  };
}

/** Words that are not to be in the report: the key, the account, names and addresses, paths of the box, generated passwords. */
export interface Hidden {
  /** Masked wherever they stand. */
  readonly secrets: Set<string>;
  /** Replaced by a word that says what stood there. */
  readonly names: Map<string, string>;
}

/** What is to be hidden from the start. */
export function hideOptions({ url, username, apiKey, location, localRoot }: TryOptions): Hidden {
  const names = new Map<string, string>([[location.path, `<${location.id}>`]]);
  const dataset = location.path.slice("/mnt/".length);
  names.set(dataset, `<dataset of ${location.id}>`);
  names.set(dataset.split("/")[0] ?? dataset, "<pool>");
  names.set(new URL(url).host, "<host>");
  names.set(new URL(url).hostname, "<host>");
  names.set(hostname(), "<this machine>");
  names.set(username, "<account>");
  if (localRoot !== undefined) names.set(localRoot, "<local root>");
  return { secrets: new Set([apiKey, apiKey.slice(apiKey.indexOf("-") + 1)]), names };
}

/** The report without anything hidden, checked against its own shape. */
export function redact(report: Report, { secrets, names }: Hidden): Report {
  const mask = createMask(secrets);
  const longest = [...names].filter(([name]) => name.length > 2).toSorted(([a], [b]) => b.length - a.length);
  const clean = (text: string): string => {
    let shown = mask(text);
    for (const [name, word] of longest) shown = replaceWord(shown, name, word);
    return shown.replaceAll(/[\da-fA-F.:]*[\da-fA-F][\da-fA-F.:]*/g, (word) =>
      isIP(word.replace(/:\d+$/, "")) === 0 && isIP(word) === 0 ? word : "<address>",
    );
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return clean(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]));
  };
  // Versions look like addresses (25.04.2.6), and tell nothing about the box.
  const { host, slipway, node, started, format, ...rest } = report;
  return Report.parse({ format, slipway, node, started, ...(host !== undefined && { host }), ...Object(walk(rest)) });
}

/** Writes a redacted report; the file is this user's alone. Throws when a link or no regular file has its name. */
export function writeReport(file: string, report: Report): void {
  writeNamed(file, { text: `${JSON.stringify(report, null, 2)}\n`, replaces: "file", mode: 0o600 });
}

/** Only whole words: a pool named "a" does not tear up every text. */
function replaceWord(text: string, name: string, word: string): string {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replaceAll(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, "g"), () => word);
}
