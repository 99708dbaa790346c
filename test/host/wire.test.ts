import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCallLimit } from "../../src/adapters/host-rpc/call-limit.ts";
import { parseExtendedJson } from "../../src/adapters/host-rpc/extended-json.ts";
import { pinVersion } from "../../src/adapters/host-rpc/versions.ts";

describe("extended JSON", () => {
  test.each([
    ['{"a":{"$date":1770000000000}}', { a: 1_770_000_000_000 }],
    ['{"roles":{"$set":["A",{"$date":1}]}}', { roles: ["A", 1] }],
    ['[{"$time":"03:30:00"}]', ["03:30:00"]],
    ['{"$type":"date","$value":"2026-01-01"}', "2026-01-01"],
    ['{"$date":"not a number"}', { $date: "not a number" }],
    ['{"$date":1,"other":2}', { $date: 1, other: 2 }],
    ['{"$set":{"not":"a list"}}', { $set: { not: "a list" } }],
  ])("%s is read", (text, value) => {
    expect(parseExtendedJson(text)).toEqual(value);
  });

  test("JSON without marks stays as it is", () => {
    const plain = fc.jsonValue().filter((value) => !/"\$(date|set|time|type)"/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, (value) => {
        const text = JSON.stringify({ $mark: null, value });
        expect(parseExtendedJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe("the version to speak", () => {
  test.each([
    [["v25.10.0", "v25.10.5", "v25.04.2"], { name: "v25.10.5", release: "25.10" }],
    [["v25.10.9", "v25.10.10"], { name: "v25.10.10", release: "25.10" }],
    [["v25.10.5", "v26.0.0", "v27.0.0"], { name: "v27.0.0", release: "27.0" }],
    [["v26.0.0", "v27.0.0", "v28.0.0"], { name: "v27.0.0", release: "27.0" }],
    [["v25.10.5", "v26.0.0", "v27.1.0"], { name: "v26.0.0", release: "26.0" }],
    [["v25.04.0", "v25.04.2"], { name: "v25.04.2", release: "25.04" }],
    [["v24.10.1", "v25.100.0", "current", ""], null],
    [[], null],
  ])("of %j is %j", (offered, pinned) => {
    expect(pinVersion(offered)).toEqual(pinned);
  });
});

describe("the call limit", () => {
  test("never runs more than it allows, starts in order, and goes on after failures", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.record({ ticks: fc.nat(4), fails: fc.boolean() }), { maxLength: 30 }),
        async (most, works) => {
          const limit = createCallLimit(most);
          const began: number[] = [];
          let running = 0;
          let seen = 0;
          const all = works.map(({ ticks, fails }, at) =>
            limit(async () => {
              began.push(at);
              seen = Math.max(seen, ++running);
              for (let tick = 0; tick < ticks; tick++) await null;
              running--;
              if (fails) throw new Error("failed");
              return at;
            }),
          );
          const ends = await Promise.allSettled(all);
          expect(seen).toBeLessThanOrEqual(most);
          expect(began).toEqual(works.map((_, at) => at));
          expect(ends.map(({ status }) => status === "rejected")).toEqual(works.map(({ fails }) => fails));
        },
      ),
    );
  });
});
