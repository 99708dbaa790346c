/** Errors that more than one place throws, each with one text. */

import { readMessage } from "../json/read-message.ts";
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

/** A claim is held: of an app by a lifecycle, of a hook's target by a run. */
export function createClaimHeldError(taskId: string, claimed: string): EngineError<"TASK_CONFLICT"> {
  return new EngineError("TASK_CONFLICT", `task "${taskId}" is already at work on "${claimed}"`, { taskId });
}

/** A file or folder that was named can't be read; `why` is the error of the file system, or a reason in words. */
export function createFileUnreadableError(file: string, why: unknown): EngineError<"CLI_FILE_UNREADABLE"> {
  const reason = readMessage(why);
  const cause = why instanceof Error ? why : undefined;
  return new EngineError("CLI_FILE_UNREADABLE", `can't read "${file}": ${reason}`, { file }, cause);
}

/** A server can't listen where it was told to. */
export function createListenError(
  { address, port }: { readonly address: string; readonly port: number },
  error: Error,
): EngineError<"HTTP_LISTEN_FAILED"> {
  return new EngineError("HTTP_LISTEN_FAILED", `can't listen on ${address}:${port}: ${error.message}`, {}, error);
}
