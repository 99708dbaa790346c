import { expect, test } from "vitest";
import { HOST_CALLS, type HostCall } from "../../src/engine/host-calls.ts";
import { createScriptedHost } from "../support/scripted-host.ts";

const ROWS: readonly (readonly [string, HostCall])[] = Object.entries(HOST_CALLS);

test.each(ROWS)("%s: only what changes the host once has a rule for a lost answer", (_, row) => {
  const changes = row.class === "create" || row.class === "mutate";
  expect((row.reconcile ?? []).length > 0).toBe(changes);
});

test.each(ROWS.filter(([, { reconcile }]) => reconcile !== undefined))(
  "%s: every question of its rule is a read of the port, the job first",
  (_, { reconcile = [], port }) => {
    const reads = ROWS.filter(([, row]) => row.class === "read").flatMap(([, row]) => [...row.port]);
    for (const { ask } of reconcile) expect(reads).toContain(ask);
    expect(reconcile[0]?.ask === "findJob").toBe(port.includes("startJob"));
  },
);

test("every method of the port that asks the host stands in the table", () => {
  const named = new Set<string>(ROWS.flatMap(([, row]) => [...row.port]));
  const { script: _, localPath: __, close: ___, ...asking } = createScriptedHost();
  expect(Object.keys(asking).filter((method) => !named.has(method))).toEqual([]);
});
