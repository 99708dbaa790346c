/** Rows of a fake from what was recorded: no secret is in them, and no time of the day. Pure. */
import { type Concealment, createConcealment, nameSecret, type Secret } from "../../../sandbox/desk/concealment.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { isJsonObject, type Json } from "../../core/json/json.ts";
import { type AppAnswer, AppAnswersFile } from "../../standin/apps/answers.ts";
import { findSecrets, splitCookie } from "./find-secrets.ts";
import { markTimes, markTimesInText } from "./mark-times.ts";
import { readBody } from "./read-body.ts";
import type { Exchange } from "./recorder.ts";
import { isSecretName, replaceNamedSecrets } from "./secret-words.ts";

/** What was recorded, as a fake's rows. */
export interface RecordedRows {
  readonly rows: readonly AppAnswer[];
  /** What a fake can't hold, in words. */
  readonly notes: readonly string[];
  /** How many secrets were replaced. */
  readonly secrets: number;
}

/** What a recording is written with. */
export interface RowSetting {
  readonly baseUrl: string;
  /** Of the script's inputs. */
  readonly secretInputs: readonly Secret[];
  /** Ms since 1970. */
  readonly now: number;
}

/** Headers a script may go by; the others frame the message, name the server, or change with each answer. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  "content-disposition",
  "content-type",
  "link",
  "location",
  "retry-after",
  "set-cookie",
  "www-authenticate",
  "x-total-count",
]);

/** Each is looked for in many forms. */
const MOST_SECRETS = 2_000;

/** Makes the rows, those that answer the fewest requests first. Throws `CLI_RECORDING_TOO_LARGE`. */
export function writeRows(exchanges: readonly Exchange[], setting: RowSetting): RecordedRows {
  const found = [...setting.secretInputs, ...exchanges.flatMap(findSecrets)];
  const secrets = [...new Set(found)].filter((secret) => secret !== "");
  if (secrets.length > MOST_SECRETS) {
    const message = `the answers hold ${secrets.length} texts that may be secrets, allowed are ${MOST_SECRETS}`;
    throw new EngineError("CLI_RECORDING_TOO_LARGE", message);
  }
  const writer = new RowWriter(secrets, setting);
  const rows = exchanges.map((exchange) => writer.write(exchange));
  const collapsed = collapse(rows).toSorted((one, other) => measureBreadth(one) - measureBreadth(other));
  const { answers } = AppAnswersFile.parse(collapsed);
  return { rows: answers, notes: [...new Set(writer.notes)], secrets: secrets.length };
}

/** A row before the stand-in's own schema has read it. */
type DraftRow = Pick<AppAnswer, "path"> & { readonly method: string; readonly [member: string]: Json };

class RowWriter {
  readonly notes: string[] = [];
  readonly #secrets: readonly Secret[];
  readonly #concealment: Concealment;
  readonly #baseUrl: string;
  readonly #now: number;

  constructor(secrets: readonly Secret[], { baseUrl, now }: RowSetting) {
    this.#secrets = secrets;
    this.#concealment = createConcealment(secrets, []);
    this.#baseUrl = baseUrl;
    this.#now = now;
  }

  write({ request, reply: { head, body: bytes } }: Exchange): DraftRow {
    const path = this.#writePath(request.url);
    const read = readBody(bytes);
    if (read === null) {
      this.notes.push(`${request.method} ${path}: ${bytes.byteLength} bytes that are not text are left out`);
    }
    const body = this.#writeBody(read ?? "");
    const headers = this.#writeHeaders(head.headers, body);
    return {
      method: request.method,
      path,
      ...(head.status !== 200 && { status: head.status }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== "" && { body }),
    };
  }

  /** Below the app's address; without a query, or cut at a step, where a secret or a time stands in it. */
  #writePath(asked: string): string {
    const url = new URL(asked);
    const base = new URL(this.#baseUrl).pathname.replace(/\/+$/, "");
    const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    const steps = path.split("/");
    const cut = steps.findIndex((step) => this.#writeText(step) !== step);
    if (cut >= 0) return `${steps.slice(0, cut).join("/")}/*`;
    const isPlain = [...url.searchParams].every(
      ([name, value]) => !isSecretName(name) && this.#writeText(value) === value && !/^\d{10,}$/.test(value),
    );
    return isPlain && this.#writeText(url.search) === url.search ? `${path}${url.search}` : path;
  }

  #writeHeaders(headers: readonly (readonly [string, string])[], body: Json): NonNullable<AppAnswer["headers"]> {
    const kept = headers.flatMap(([given, value]): [string, string][] => {
      const name = given.toLowerCase();
      // what is not plain text no HTTP server takes back
      if (!/^[\t\x20-\x7e]*$/.test(value)) return [];
      if (name === "content-type" && typeof body !== "string" && /^application\/json\b/i.test(value)) return [];
      if (name === "set-cookie") return [[name, this.#writeCookie(value)]];
      if (name === "location") return [[name, this.#writeText(this.#writeLocation(value))]];
      if (isSecretName(name)) return [[name, `${nameSecret(value, this.#secrets)}`]];
      return KEPT_HEADERS.has(name) ? [[name, this.#writeText(value)]] : [];
    });
    const cookies = kept.flatMap(([name, value]) => (name === "set-cookie" ? [value] : []));
    const all = Object.fromEntries(kept);
    return cookies.length > 1 ? { ...all, "set-cookie": cookies } : all;
  }

  #writeCookie(header: string): string {
    const { name, value, rest } = splitCookie(header);
    return `${name}=${value === "" ? "" : nameSecret(value, this.#secrets)}${this.#writeText(rest)}`;
  }

  /** A place of the app itself without the app's address, which is another one on the stand-in. */
  #writeLocation(value: string): string {
    const { origin } = new URL(this.#baseUrl);
    return value.startsWith(`${origin}/`) ? value.slice(origin.length) : value;
  }

  #writeBody(body: Json): Json {
    return markTimes(this.#concealment.json(this.#nameByPlace(body, false)), this.#now);
  }

  /** Secrets too short to be looked for are known by the name they stand under. */
  #nameByPlace(value: Json, isSecret: boolean): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.#nameByPlace(item, isSecret));
    if (isJsonObject(value)) {
      const members = Object.entries(value).map(([name, item]) => [
        name,
        this.#nameByPlace(item, isSecret || isSecretName(name)),
      ]);
      return Object.fromEntries(members);
    }
    if (typeof value === "string" && !isSecret) {
      return replaceNamedSecrets(value, (secret) => `${nameSecret(secret, this.#secrets)}`);
    }
    const isNamed = isSecret && (typeof value === "number" || (typeof value === "string" && value !== ""));
    return isNamed ? nameSecret(value, this.#secrets) : value;
  }

  #writeText(text: string): string {
    return markTimesInText(this.#concealment.text(text), this.#now);
  }
}

/** One row for answers that are alike and follow each other; all but the last of a request make room for the next. */
function collapse(rows: readonly DraftRow[]): readonly DraftRow[] {
  const byRequest = Map.groupBy(rows, ({ method, path }) => `${method} ${path}`);
  return [...byRequest.values()].flatMap((ofOne) => {
    const runs: { readonly row: DraftRow; readonly text: string; times: number }[] = [];
    for (const row of ofOne) {
      const text = JSON.stringify(row);
      const last = runs.at(-1);
      if (last?.text === text) last.times += 1;
      else runs.push({ row, text, times: 1 });
    }
    return runs.map(({ row, times }, index) => (index === runs.length - 1 ? row : { ...row, times }));
  });
}

/** A row with a query answers the fewest requests, one that ends in `*` the most, and of those one with a shorter beginning. */
function measureBreadth({ path }: Pick<AppAnswer, "path">): number {
  if (path.endsWith("*")) return 2 + 1 / path.length;
  return path.includes("?") ? 0 : 1;
}
