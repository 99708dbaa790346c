/** Errors that more than one place throws, each with one text. */
import { EngineError } from "./problems.ts";

/** There is no task of this id. */
export function createTaskUnknownError(taskId: string): EngineError<"TASK_UNKNOWN"> {
  return new EngineError("TASK_UNKNOWN", `there is no task "${taskId}"`, { taskId });
}

/** Neither the catalog nor, where it was asked, the host knows this app. */
export function createAppUnknownError(appId: string): EngineError<"TASK_APP_UNKNOWN"> {
  return new EngineError("TASK_APP_UNKNOWN", `there is no app "${appId}" in the catalog`, { appId });
}

/** The engine was closed before, or while, it was asked. */
export function createEngineClosedError(): EngineError<"TASK_ENGINE_CLOSED"> {
  return new EngineError("TASK_ENGINE_CLOSED", "the engine is closed");
}
