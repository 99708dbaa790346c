import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { explain } from "../../../src/core/codes/codes.ts";
import type { BelievedApp, InstalledApp, SeenApp, SeenDirectory } from "../../../src/core/drift/drift-types.ts";
import { findDrift } from "../../../src/core/drift/find-drift.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json/json.ts";

const DATA = "/mnt/tank/apps/demo";
const SHARED = "/mnt/tank/apps/demo/out";
const APPS = { uid: 568, gid: 568 };

const believed: BelievedApp = {
  appId: "demo",
  instance: "demo",
  version: "1.2.0",
  values: {
    network: { web_port: 8080 },
    team: "blue",
    address: "blue:made",
    size: 1,
    password: "swordfish",
    env: [{ name: "A", value: "1" }],
  },
  origins: [
    { field: "network.web_port", questions: ["port"], open: true },
    { field: "team", questions: ["team"], open: true },
    { field: "address", questions: ["team"] },
    { field: "password", questions: ["password"] },
  ],
  openQuestions: new Set(["port", "team"]),
  secrets: ["swordfish"],
  directories: [
    { path: DATA, root: false, owner: { user: "apps" }, shared: false },
    { path: SHARED, root: false, shared: true },
  ],
  lostLinks: [],
};

const seen: InstalledApp = {
  installed: true,
  version: "1.2.0",
  values: {
    ...believed.values,
    env: [{ value: "1", name: "A", hidden: false }],
    network: { web_port: 8080, host: [] },
  },
  directories: new Map<string, SeenDirectory>([
    [DATA, { is: "directory", owner: APPS, wanted: APPS }],
    [SHARED, { is: "directory", owner: { uid: 0, gid: 0 }, wanted: { uid: 0, gid: 0 } }],
  ]),
  shares: new Set([SHARED, "/mnt/other"]),
};

const withValues = (values: JsonObject): SeenApp => ({ ...seen, values: { ...seen.values, ...values } });
const withDirectory = (path: string, directory: SeenDirectory): SeenApp => {
  return { ...seen, directories: new Map([...seen.directories, [path, directory]]) };
};
const update = { method: "update", appId: "demo" };

it("finds nothing where the host is as it was left, whatever it has filled in", () => {
  expect(findDrift(believed, seen)).toEqual([]);
});

describe("each kind of drift", () => {
  test.each<[string, SeenApp, object, Partial<BelievedApp>?]>([
    [
      "an app that is gone",
      { installed: false, takenBy: null },
      { code: "DRIFT_APP_GONE", subject: "demo", proposal: { method: "install", appId: "demo" } },
    ],
    [
      "a name another app has",
      { installed: false, takenBy: "other" },
      { code: "DRIFT_NAME_TAKEN", subject: "demo", expected: "demo", found: "other", proposal: null },
    ],
    [
      "another version",
      { ...seen, version: "1.3.0" },
      { code: "DRIFT_VERSION", subject: "demo", expected: "1.2.0", found: "1.3.0", proposal: update },
    ],
    [
      "an answer that was changed",
      withValues({ team: "red" }),
      { code: "DRIFT_VALUE", subject: "team", expected: "blue", found: "red", proposal: update },
    ],
    [
      "an answer that was taken away",
      withValues({ team: null }),
      { code: "DRIFT_VALUE", subject: "team", expected: "blue", proposal: update },
    ],
    [
      "a password: only that it differs",
      withValues({ password: "hunter22" }),
      { code: "DRIFT_VALUE", subject: "password", proposal: update },
    ],
    [
      "a text the script fixes: only that it differs",
      withValues({ env: [{ name: "A", value: "typed by somebody" }] }),
      { code: "DRIFT_VALUE", subject: "env.0.value", proposal: update },
    ],
    [
      "an answer with something beside it: only that it differs",
      withValues({ address: "blue:typed" }),
      { code: "DRIFT_VALUE", subject: "address", proposal: update },
    ],
    [
      "a number the script fixes: only that it differs",
      withValues({ size: 4711 }),
      { code: "DRIFT_VALUE", subject: "size", proposal: update },
    ],
    [
      "a list with more in it: only that it differs",
      withValues({ env: [{ name: "A", value: "1" }, { name: "TOKEN" }] }),
      { code: "DRIFT_VALUE", subject: "env", proposal: update },
    ],
    [
      "a directory that is missing",
      withDirectory(DATA, { is: "missing", at: DATA }),
      { code: "DRIFT_DIRECTORY_GONE", subject: DATA, proposal: null },
    ],
    [
      "a location that is missing, with all below it",
      {
        ...seen,
        directories: new Map([DATA, SHARED].map((path) => [path, { is: "missing", at: "/mnt/tank/apps" }] as const)),
        shares: new Set(),
      },
      { code: "DRIFT_DIRECTORY_GONE", subject: "/mnt/tank/apps", proposal: null },
    ],
    [
      "a directory that has become a link",
      withDirectory(DATA, { is: "replaced" }),
      { code: "DRIFT_DIRECTORY_REPLACED", subject: DATA, proposal: null },
    ],
    [
      "a directory of somebody else",
      withDirectory(DATA, { is: "directory", owner: { uid: 0, gid: 7 }, wanted: APPS }),
      { code: "DRIFT_OWNER", subject: DATA, expected: "apps (568:568)", found: "0:7", proposal: update },
    ],
    [
      "an owner the host does not know",
      withDirectory(DATA, { is: "directory", owner: APPS, wanted: null }),
      { code: "DRIFT_OWNER", expected: "apps (unknown to the host)", found: "568:568", proposal: null },
    ],
    [
      "a share that is gone",
      { ...seen, shares: new Set() },
      { code: "DRIFT_SHARE_GONE", subject: SHARED, proposal: null },
    ],
    [
      "a link that has to be made again",
      seen,
      { code: "DRIFT_LINK_LOST", subject: "hub", proposal: { method: "runAction", appId: "demo", hookId: "connect" } },
      { lostLinks: [{ hookId: "connect", target: "hub" }] },
    ],
  ])("%s", (_, host, wanted, more = {}) => {
    const findings = findDrift({ ...believed, ...more }, host);
    expect(findings).toEqual([expect.objectContaining({ appId: "demo", ...wanted })]);
    const [finding] = findings;
    if (finding === undefined) return;
    expect(finding.hint).toBe(explain(finding.code).hint);
    expect(Object.keys(finding).filter((key) => key === "expected" || key === "found")).toEqual(
      Object.keys(wanted).filter((key) => key === "expected" || key === "found"),
    );
  });
});

it("shows no value where nobody knows which questions decide it, nor one that holds a secret", () => {
  const changed = withValues({ team: "swordfish!", network: { web_port: 9090 } });
  expect(findDrift({ ...believed, origins: null }, changed).map(({ expected, found }) => [expected, found])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(JSON.stringify(findDrift(believed, changed))).not.toContain("swordfish");
});

it("takes what stands where a secret stood as one from 6 characters on", () => {
  const shown = (password: string) =>
    findDrift(believed, withValues({ team: `my ${password}`, password })).map(({ subject, found }) => [subject, found]);
  expect(shown("re d1")).toEqual([
    ["team", "my re d1"],
    ["password", undefined],
  ]);
  expect(shown("re d12")).toEqual([
    ["team", undefined],
    ["password", undefined],
  ]);
});

it("names at most 50 options of an app", () => {
  const many = (value: string) => Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`v${at}`, value]));
  expect(findDrift({ ...believed, values: many("a") }, withValues(many("b")))).toHaveLength(50);
});

const arbitraryValues = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
})).object;

/** The value as a host may give it back: members of its own in every object, in another order, nothing for null. */
function fillIn(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => fillIn(item));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const filled = members.map(([key, member]) => [key, fillIn(member)] as const).toReversed();
  return Object.fromEntries([["the host's own", [8080]], ...filled]);
}

test("a host that has what it was given, and more of its own, has no findings; every change of a value is one", () => {
  fc.assert(
    fc.property(arbitraryValues, (values) => {
      const live = fillIn(values);
      if (!isJsonObject(live)) throw new Error("an object is filled in to one");
      expect(findDrift({ ...believed, values }, { ...seen, values: live })).toEqual([]);
      const [key] = Object.keys(values);
      if (key === undefined) return;
      const changed = { ...live, [key]: "surely another value of somebody" };
      expect(findDrift({ ...believed, values }, { ...seen, values: changed })).toEqual([
        expect.objectContaining({ code: "DRIFT_VALUE" }),
      ]);
    }),
  );
});
