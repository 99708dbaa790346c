/** An install script's values with their macros replaced by examples, and where each of them stands in the script. */
import { isJsonArray, isJsonObject, type Json, type JsonArray, type JsonObject, type JsonPath } from "../json/json.ts";
import { evaluate } from "../macros/evaluate.ts";
import { parseTemplate } from "../macros/parse.ts";
import { findOnlyCall } from "../macros/tree.ts";
import type { HostFacts } from "../plan/host-facts.ts";
import type { Variant } from "./script-variants.ts";

export interface ResolvedVariant {
  readonly values: JsonObject;
  /** The path in the script's `app_values` of a path in `values`. */
  readonly toScript: (path: JsonPath) => JsonPath;
}

/** A host that has everything a macro asks for. */
const FACTS: Omit<HostFacts, "apps"> = {
  lanIp: "192.0.2.10",
  hostId: "0123456789abcdef".repeat(4),
  memoryMb: 16_384,
  cores: 4,
  locations: {},
  gpus: [],
};

/** Letters of both cases and digits, like a generated string. */
const RANDOM = "aZ9qR4kT7mX2bW8cN5dV3fJ6gH1hLpP0sY";

/** Replaces the macros of one variant. What can't be resolved is null; the rules for macros report it. */
export function resolveVariant(values: JsonObject, variant: Variant): ResolvedVariant {
  const resolution = new Resolution(variant);
  const resolved = resolution.members(values, []);
  return { values: resolved, toScript: (path) => resolution.toScript(path) };
}

class Resolution {
  readonly #variant: Variant;
  /** For each array an item of which was dropped: the index in the script of each item that stays. */
  readonly #kept = new Map<string, readonly number[]>();

  constructor(variant: Variant) {
    this.#variant = variant;
  }

  members(object: JsonObject, path: JsonPath): JsonObject {
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [key, this.#value(value, [...path, key])] as const),
    );
  }

  toScript(path: JsonPath): JsonPath {
    return path.map((step, at) => {
      if (typeof step === "string") return step;
      return this.#kept.get(JSON.stringify(path.slice(0, at)))?.[step] ?? step;
    });
  }

  #value(value: Json, path: JsonPath): Json {
    if (typeof value === "string") return this.#text(value) ?? null;
    if (isJsonArray(value)) return this.#items(value, path);
    return isJsonObject(value) ? this.members(value, path) : value;
  }

  #items(items: JsonArray, path: JsonPath): JsonArray {
    const resolved: Json[] = [];
    const kept: number[] = [];
    for (const [index, item] of items.entries()) {
      const value = this.#value(item, [...path, resolved.length]);
      // an item that is one $IF and yields "" is left out (docs/decisions.md, section 2.4)
      if (value === "" && typeof item === "string" && isOnlyIf(item)) continue;
      resolved.push(value);
      kept.push(index);
    }
    if (kept.length < items.length) this.#kept.set(JSON.stringify(path), kept);
    return resolved;
  }

  #text(text: string): Json | undefined {
    if (!text.includes("$")) return text;
    const template = parseTemplate(text);
    if (template.faults.some(({ severity }) => severity === "error")) return undefined;
    const { answers, appsInstalled } = this.#variant;
    const asked = template.calls.flatMap((call) => (call.name === "APP_INSTALLED" ? call.app.parts : []));
    const apps = appsInstalled ? asked.filter((part) => typeof part === "string") : [];
    const installed = { state: "RUNNING", version: "1.0.0", ports: [] };
    return evaluate(template, {
      facts: { ...FACTS, apps: Object.fromEntries(apps.map((app) => [app.trim(), installed])) },
      answer: (key) => answers.get(key) ?? "",
      location: (id) => `/mnt/tank/${id}`,
      randomString: (characters) => RANDOM.repeat(Math.ceil(characters / RANDOM.length)).slice(0, characters),
      enter: () => true,
      leave: () => {},
      used: () => true,
      branched: () => {},
      fault: () => {},
    });
  }
}

function isOnlyIf(text: string): boolean {
  return findOnlyCall(parseTemplate(text).root)?.name === "IF";
}
