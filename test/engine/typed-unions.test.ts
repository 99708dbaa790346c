/** What a check of one member says of the others: the types embedders narrow by. */

import { expect, expectTypeOf, test } from "vitest";
import type { AskedInput, EngineEvent, TaskView, WaitingFor } from "../../src/engine/api.ts";
import type { PairingLinked } from "../../src/engine/ports/environment.ts";

function describeWait(waiting: WaitingFor): string {
  if (waiting.kind === "app") {
    const { detail } = waiting;
    return detail === undefined ? "an app" : "state" in detail ? detail.state : detail.reasons.join(", ");
  }
  if (waiting.kind !== "person") {
    expectTypeOf(waiting.detail).toEqualTypeOf<undefined>();
    return waiting.kind;
  }
  const { detail } = waiting;
  if ("inputs" in detail) {
    expectTypeOf(detail.inputs).toEqualTypeOf<readonly AskedInput[]>();
    return detail.inputs.map(({ id, authorization: open }) => (open?.status === "open" ? open.url : id)).join();
  }
  return "child" in detail ? detail.child : (detail.checkpoint ?? detail.choices[0]);
}

test("a check of what is waited for says what its detail holds", () => {
  const since = "2026-01-01T00:00:00.000Z";
  const url = "https://provider.test/auth";
  const authorization = { status: "open", url, code: "AB12", expiresAt: since } as const;
  const waits: readonly WaitingFor[] = [
    { kind: "person", since, detail: { child: "hook:setup" } },
    { kind: "person", since, detail: { choices: ["retry", "skip", "cancel"], checkpoint: "scan" } },
    {
      kind: "person",
      since,
      detail: { choices: ["input", "skip", "cancel"], inputs: [{ id: "account", type: "oauth", authorization }] },
    },
    { kind: "app", since, detail: { state: "DEPLOYING" } },
    { kind: "app", since, detail: { apps: ["a"], reasons: ["a is not running"] } },
    { kind: "network", since },
  ];
  expect(waits.map(describeWait)).toEqual(["hook:setup", "scan", url, "DEPLOYING", "a is not running", "network"]);
  // @ts-expect-error: a person is asked something
  const asksNothing: WaitingFor = { kind: "person", since };
  expect(asksNothing).not.toHaveProperty("detail");
});

test("an event's type is one of those there are, and a task's wait is one of those told apart", () => {
  expectTypeOf<EngineEvent["type"]>().toEqualTypeOf<
    | "task.created"
    | "task.updated"
    | "task.dropped"
    | "task.notified"
    | "task.quarantined"
    | "task.released"
    | "task.dismissed"
  >();
  expectTypeOf<Extract<EngineEvent, { type: "task.notified" }>["notification"]>().toEqualTypeOf<PairingLinked>();
  expectTypeOf<NonNullable<TaskView["waitingFor"]>>().toEqualTypeOf<WaitingFor>();
});
