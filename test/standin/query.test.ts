import { describe, expect, test } from "vitest";
import type { Json } from "../../src/core/json/json.ts";
import { QueryOptions, runQuery } from "../../src/standin/rpc/query.ts";

const ROWS = [
  { id: 1, name: "plex", tags: ["a", "b"], meta: { name: "Plex" } },
  { id: 2, name: "Jellyfin", tags: [], meta: { name: "Jellyfin" } },
  { id: 3, name: "immich", tags: ["b"], meta: { name: "Immich" } },
];

function ids(filters: readonly Json[], options: object = {}): Json {
  return runQuery(ROWS, filters, QueryOptions.parse({ select: [["id", "id"]], ...options }));
}

describe("filters", () => {
  test.each<[Json, number[]]>([
    [["id", "=", 2], [2]],
    [
      ["id", "!=", 2],
      [1, 3],
    ],
    [
      ["id", ">", 1],
      [2, 3],
    ],
    [["id", ">=", 3], [3]],
    [["id", "<", 2], [1]],
    [
      ["id", "<=", 2],
      [1, 2],
    ],
    [["name", "~", "^p"], [1]],
    [
      ["id", "in", [1, 3]],
      [1, 3],
    ],
    [["id", "nin", [1, 3]], [2]],
    [
      ["tags", "rin", "b"],
      [1, 3],
    ],
    [["tags", "rnin", "b"], [2]],
    [["name", "^", "im"], [3]],
    [
      ["name", "!^", "im"],
      [1, 2],
    ],
    [["name", "$", "fin"], [2]],
    [
      ["name", "!$", "fin"],
      [1, 3],
    ],
    [["name", "C=", "jellyFIN"], [2]],
    [["name", "Cin", ["PLEX"]], [1]],
    [["meta.name", "=", "Immich"], [3]],
    [
      [
        "OR",
        [
          ["id", "=", 1],
          ["id", "=", 3],
        ],
      ],
      [1, 3],
    ],
    [
      [
        "OR",
        [
          [
            ["id", "=", 1],
            ["name", "=", "x"],
          ],
          ["id", "=", 2],
        ],
      ],
      [2],
    ],
  ])("%j finds %j", (filter, expected) => {
    expect(ids([filter])).toEqual(expected.map((id) => ({ id })));
  });

  test("an unknown operator is an error", () => {
    expect(() => ids([["id", "is", 1]])).toThrow("Method call error");
  });
});

describe("options", () => {
  test.each<[object, Json]>([
    [{ order_by: ["-id"] }, [{ id: 3 }, { id: 2 }, { id: 1 }]],
    [{ limit: 1, offset: 1 }, [{ id: 2 }]],
    [{ count: true }, 3],
    [{ get: true }, { id: 1 }],
  ])("%j answers %j", (options, expected) => {
    expect(ids([], options)).toEqual(expected);
  });

  test("get without a match is an error", () => {
    expect(() => ids([["id", "=", 9]], { get: true })).toThrow("Method call error");
  });
});
