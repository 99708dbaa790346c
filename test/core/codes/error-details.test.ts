import { expect, expectTypeOf, it } from "vitest";
import { EngineError, type RequestFault } from "../../../src/core/codes/problems.ts";

function conflict(): unknown {
  return new EngineError("TASK_CONFLICT", "a task is at work", { taskId: "t1" }, new Error("why"));
}

it("a check of the code says what the details hold", () => {
  const error = conflict();
  expect(error).toBeInstanceOf(EngineError);
  expect(error).toMatchObject({ name: "EngineError", cause: { message: "why" } });
  if (!(error instanceof EngineError) || error.code !== "TASK_CONFLICT") throw new Error("it is another error");
  expect(error.details.taskId).toBe("t1");
  expectTypeOf(error.details.taskId).toEqualTypeOf<string>();
});

it("an error is not made without the details of its code, nor with another's", () => {
  // @ts-expect-error: a conflict names its task
  expect(new EngineError("TASK_CONFLICT", "a task is at work").details).toEqual({});
  // @ts-expect-error: a conflict names its task
  expect(new EngineError("TASK_CONFLICT", "a task is at work", { appId: "a" }).details).toEqual({ appId: "a" });
  expect(new EngineError("TASK_ENGINE_CLOSED", "the engine is closed").details).toEqual({});
  const refused = new EngineError("TASK_REQUEST_INVALID", "no", { errors: [{ path: ["answers"], message: "no" }] });
  expectTypeOf(refused.details.errors).toEqualTypeOf<readonly RequestFault[]>();
});
