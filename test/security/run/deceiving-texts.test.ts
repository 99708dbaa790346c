/** What a script says at run time turns none of the words around it where people read it. */
import { afterAll, expect, test } from "vitest";
import type { ContextCall } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { MASKED } from "../../../src/core/report/mask.ts";
import { runScript } from "./hostile-runs.ts";

const sandbox = createSandbox({ scriptIo: createScriptIo() });
afterAll(() => sandbox.close());

test("its checkpoints and questions hold nothing that does, and its log holds what it wrote", async () => {
  const calls: ContextCall[] = [];
  const call = async (asked: ContextCall) => {
    calls.push(asked);
    return asked.kind === "awaitCheckpointRetry" ? "skip" : null;
  };
  const { log, outcome } = await runScript(
    sandbox,
    String.raw`const t = "a\u202eb\u2066\u001bc\nd";
    ctx.log(t);
    await ctx.registerCheckpoints([{ id: "i\u202e", message: t }, { id: "\u202e", message: "" }]);
    await ctx.updateCheckpointMessage("i\u202e", t);
    await ctx.emitCheckpoint("i\u202e", t, 50);
    await ctx.skipCheckpoint("\u202e", t);
    await ctx.awaitCheckpointRetry("i\u202e", t, [{ label: t, value: t }]);`,
    { scriptHost: { call } },
  );
  expect(JSON.stringify(calls)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\\u001b/);
  expect(outcome).toMatchObject({ status: "completed" });
  expect(calls).toHaveLength(5);
  expect(calls[0]).toMatchObject({
    checkpoints: [
      { id: "i", message: "abc\nd" },
      { id: MASKED, message: "" },
    ],
  });
  expect(log.join()).toContain("\u202e");
});

test("its failure holds nothing that does, and no secret such characters stood in", async () => {
  const { outcome } = await runScript(
    sandbox,
    String.raw`const error = new Error("a\u202eb hun\u2066ter22"); error.stack = "Error: \u202e"; throw error;`,
    { secrets: ["hunter22"] },
  );
  expect(outcome).toMatchObject({ status: "failed", message: expect.stringContaining(`ab ${MASKED}`) });
  expect(JSON.stringify(outcome)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});
