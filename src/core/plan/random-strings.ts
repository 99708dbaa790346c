/** Random strings of one plan: one per place of the script, as it was the first time (docs/decisions.md, section 2.7). */
import type { JsonObject, JsonPath } from "../json/json.ts";
import { parseTemplate } from "../macros/parse.ts";
import { readLiveValue } from "./values/live-configuration.ts";

export interface RandomSources {
  /** The script's `app_values`. */
  readonly appValues: JsonObject;
  /** Kept from an earlier plan, by place. */
  readonly kept: Readonly<Record<string, string>>;
  /** Configuration of the installed app. */
  readonly live: JsonObject | null;
  readonly random: (length: number) => string;
}

/** Asks for a new random string only where none was kept and none is live. */
export class RandomStrings {
  /** How many were asked for. */
  uses = 0;
  readonly #sources: RandomSources;
  readonly #strings: Map<string, string>;
  readonly #origins = new Map<string, "generated" | "live">();

  constructor(sources: RandomSources) {
    this.#sources = sources;
    this.#strings = new Map(Object.entries(sources.kept));
  }

  /** The string of the `ordinal`-th `$RANDOM_STRING` at a place of the script. */
  at(path: JsonPath, ordinal: number, characters: number): string {
    this.uses += 1;
    const key = toPlaceKey(path, ordinal);
    const kept = this.#strings.get(key);
    if (kept !== undefined) return kept;
    const live = this.#readLive(path);
    const value = live ?? this.#sources.random(characters);
    this.#origins.set(key, live === null ? "generated" : "live");
    this.#strings.set(key, value);
    return value;
  }

  /** Where the first string of a place came from. */
  origin(path: JsonPath): "generated" | "live" | "kept" {
    return this.#origins.get(toPlaceKey(path, 0)) ?? "kept";
  }

  /** Every string by place, those kept before included. */
  kept(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#strings);
  }

  /** The live text where the script has one `$RANDOM_STRING`, alone or in text without other macros. */
  #readLive([area, ...below]: JsonPath): string | null {
    const { appValues, live } = this.#sources;
    if (area !== "app_values" || live === null) return null;
    const written = readLiveValue(appValues, appValues, below);
    const found = readLiveValue(appValues, live, below);
    if (typeof written !== "string" || typeof found !== "string") return null;
    const [call, ...others] = parseTemplate(written).calls;
    if (call?.name !== "RANDOM_STRING" || others.length > 0) return null;
    const [before, after] = [written.slice(0, call.offset), written.slice(call.offset + call.length)];
    const framed = found.startsWith(before) && found.endsWith(after) && found.length > before.length + after.length;
    return framed ? found.slice(before.length, found.length - after.length) : null;
  }
}

/** The key a string is kept by: JSON text of the place's path; the later ones of one string carry their number, which no path below a string has. */
export function toPlaceKey(path: JsonPath, ordinal: number): string {
  return JSON.stringify(ordinal === 0 ? path : [...path, ordinal]);
}
