import { expect, expectTypeOf, it } from "vitest";
import { EngineError, type Failure, type RequestFault } from "../../../src/core/codes/problems.ts";

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

it("errors of the host and of the database have the facts of their kind", () => {
  const error: unknown = new EngineError("STORE_LOCKED", "in use", { file: "slipway.db", pid: 7, command: "serve" });
  if (!(error instanceof EngineError)) throw new Error("it is another error");
  if (error.code === "STORE_LOCKED") expectTypeOf(error.details.pid).toEqualTypeOf<number | undefined>();
  if (error.code === "HOST_PORT_CONFLICT") {
    expectTypeOf(error.details.faults).toEqualTypeOf<readonly Failure[] | undefined>();
  }
  // @ts-expect-error: no error of the host has a process id
  expect(new EngineError("HOST_BUSY", "busy", { pid: 7 }).details).toEqual({ pid: 7 });
});
