import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json/json.ts";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { openRaw, startStandin } from "../support/engine/standin-client.ts";

/**
 * Exchanges written from docs/host-api.md: what the stand-in must reproduce in this order and the client must accept.
 * `varies` names keys (or array indexes) whose value may be another of the same type.
 */
const Fixture = z.strictObject({
  title: z.string(),
  source: z.string(),
  host: z.strictObject({
    generation: z.enum(GENERATIONS),
    username: z.string(),
    apiKey: z.string(),
    faults: z.array(z.string()).default([]),
  }),
  varies: z.array(z.string()),
  exchange: z.array(
    z.union([
      z.strictObject({ from: z.literal("client"), message: z.json() }),
      z.strictObject({ from: z.literal("client"), text: z.string() }),
      z.strictObject({
        from: z.literal("host"),
        message: z.json(),
        varies: z.array(z.union([z.string(), z.number()])).default([]),
      }),
    ]),
  ),
});

const FOLDER = "test/fixtures/wire";

/** The place of the first difference, or undefined: keys the fixture does not name may be there too. */
function difference(
  wanted: Json,
  got: Json | undefined,
  varies: ReadonlySet<string | number>,
  path = "$",
): string | undefined {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return `${path}: ${JSON.stringify(got)}`;
    return first(wanted.map((one: Json, index) => child(one, got[index], index, varies, path)));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(got)) return `${path}: ${JSON.stringify(got)}`;
    return first(Object.entries(wanted).map(([key, one]) => child(one, got[key], key, varies, path)));
  }
  return wanted === got ? undefined : `${path}: ${JSON.stringify(got)} is not ${JSON.stringify(wanted)}`;
}

function child(
  wanted: Json,
  got: Json | undefined,
  key: string | number,
  varies: ReadonlySet<string | number>,
  path: string,
) {
  if (varies.has(key))
    return kind(wanted) === kind(got) ? undefined : `${path}.${key}: ${kind(got)} is no ${kind(wanted)}`;
  return difference(wanted, got, varies, `${path}.${key}`);
}

function first(found: readonly (string | undefined)[]): string | undefined {
  return found.find((one) => one !== undefined);
}

function kind(value: Json | undefined): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

describe("recorded exchanges", () => {
  test.each(readdirSync(FOLDER).toSorted())("%s is reproduced", async (name) => {
    const fixture = Fixture.parse(JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
    const client = await openRaw((await startStandin(fixture.host)).url);
    let seen = 0;
    for (const [index, step] of fixture.exchange.entries()) {
      if (step.from === "client") {
        client.send("text" in step ? step.text : JSON.stringify(step.message));
        continue;
      }
      await client.until(() => client.received.length > seen);
      const got: JsonObject | undefined = client.received[seen];
      seen += 1;
      const varies = new Set<string | number>([...fixture.varies, ...step.varies]);
      expect(
        difference(step.message, got, varies),
        `message ${index} of ${name}: ${JSON.stringify(got)}`,
      ).toBeUndefined();
    }
    expect(client.received.slice(seen)).toEqual([]);
  });

  test("the comparison finds a difference", () => {
    const none = new Set<string>();
    expect(difference({ a: [1] }, { a: [1], b: 2 }, none)).toBeUndefined();
    expect(difference({ a: [1] }, { a: [2] }, none)).toBe("$.a.0: 2 is not 1");
    expect(difference({ a: 1 }, { a: "x" }, new Set(["a"]))).toBe("$.a: string is no number");
  });
});
