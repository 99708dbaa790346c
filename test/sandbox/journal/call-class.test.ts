/** The table of docs/hooks.md ("After a restart") as classes, and what makes two calls the same. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CALL_CLASSES,
  type CallOp,
  classifyCall,
  hashCall,
  writeCanonicalJson,
} from "../../../sandbox/journal/call-class.ts";

const fetchOf = (method: string): CallOp & { op: "fetch" } => ({
  op: "fetch",
  id: 1,
  method,
  url: "http://app/",
  headers: [],
  redirect: "follow",
  hasBody: false,
});
const wait: CallOp = {
  op: "waitForApp",
  id: 1,
  url: "http://app/",
  method: "GET",
  headers: [],
  attempts: 1,
  timeoutMs: 10,
  initialDelayMs: 50,
  maxDelayMs: 50,
};

const ROWS: readonly (readonly [title: string, op: CallOp, kind: (typeof CALL_CLASSES)[number]])[] = [
  ...["GET", "HEAD", "OPTIONS"].map((method) => [method, fetchOf(method), "read"] as const),
  ...["PUT", "DELETE"].map((method) => [method, fetchOf(method), "change"] as const),
  ...["POST", "PATCH", "PROPFIND", "get", ""].map((method) => [`"${method}"`, fetchOf(method), "once"] as const),
  ["waitForApp", wait, "wait"],
  ["sleep", { op: "timer", id: 1, ms: 5 }, "timer"],
  ["an aborted fetch", { op: "fetch.abort", id: 1 }, "stop"],
  ["a cleared timer", { op: "timer.clear", id: 1 }, "stop"],
  ["registerCheckpoints", { op: "context", id: 1, call: { kind: "registerCheckpoints", checkpoints: [] } }, "report"],
  ["emitCheckpoint", { op: "context", id: 1, call: { kind: "emitCheckpoint", id: "a" } }, "report"],
  [
    "updateCheckpointMessage",
    { op: "context", id: 1, call: { kind: "updateCheckpointMessage", id: "a", message: "" } },
    "report",
  ],
  ["skipCheckpoint", { op: "context", id: 1, call: { kind: "skipCheckpoint", id: "a" } }, "report"],
  ["setProgress", { op: "context", id: 1, call: { kind: "setProgress", percent: 1 } }, "report"],
  [
    "awaitCheckpointRetry",
    { op: "context", id: 1, call: { kind: "awaitCheckpointRetry", id: "a", error: "", context: [] } },
    "person",
  ],
  ["getInstalledAppUrl", { op: "context", id: 1, call: { kind: "getInstalledAppUrl", appId: "plex" } }, "ask"],
];

test.each(ROWS)("%s", (_, op, kind) => {
  expect(classifyCall(op)).toBe(kind);
});

test("every class has a call", () => {
  expect(new Set(ROWS.map(([, , kind]) => kind))).toEqual(new Set(CALL_CLASSES));
});

/** A value with the members of every object the other way round. */
function turnRound(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnRound);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turnRound(member)]),
  );
}

describe("a call's hash", () => {
  test("does not know the order of members, at any depth", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeCanonicalJson(turnRound(value))).toBe(writeCanonicalJson(value));
        // nothing of the value is lost
        expect(JSON.parse(writeCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("knows the order of a list", () => {
    expect(writeCanonicalJson([1, 2])).not.toBe(writeCanonicalJson([2, 1]));
  });

  const post = fetchOf("POST");
  const body = Buffer.from("body");
  test.each<readonly [string, CallOp, Uint8Array | undefined]>([
    ["another id", { ...post, id: 2 }, body],
    ["another method", fetchOf("PUT"), body],
    ["another address", { ...post, url: "http://app/?" }, body],
    ["another header", { ...post, headers: [["a", "b"]] }, body],
    ["another body", post, Buffer.from("BODY")],
    ["no body", post, undefined],
  ])("is another one with %s", (_, op, bytes) => {
    expect(hashCall(op, bytes)).not.toBe(hashCall(post, body));
  });

  test("is 128 bits in letters", () => {
    expect(hashCall(post, body)).toMatch(/^[\w-]{22}$/);
    expect(hashCall(turnRound(post) as CallOp, body)).toBe(hashCall(post, body));
  });
});
