/** A context call as the engine may see it: no secret in its texts, none longer than is kept. In steps: lists may be long. */
import { type Mask, maskCut } from "../../src/core/report/mask.ts";
import type { ContextCall } from "../protocol/context-call.ts";
import { TEXT_LIMITS } from "../protocol/ops.ts";
import { maskDetails } from "./endings.ts";

export function* maskCall(call: ContextCall, mask: Mask): Generator<void, ContextCall> {
  const shown = (message: string) => maskCut(message, mask, TEXT_LIMITS.checkpoint);
  switch (call.kind) {
    case "registerCheckpoints": {
      const checkpoints: Checkpoint[] = [];
      for (const { id, message } of call.checkpoints) {
        checkpoints.push({ id: mask(id), message: shown(message) });
        yield;
      }
      return { ...call, checkpoints };
    }
    case "emitCheckpoint":
    case "updateCheckpointMessage":
    case "skipCheckpoint":
      return { ...call, id: mask(call.id), ...(call.message !== undefined && { message: shown(call.message) }) };
    case "awaitCheckpointRetry":
      return {
        ...call,
        id: mask(call.id),
        error: maskCut(call.error, mask, TEXT_LIMITS.message),
        context: yield* maskDetails(call.context, mask),
      };
    case "setProgress":
    case "getInstalledAppUrl":
      return call;
  }
}

type Checkpoint = Extract<ContextCall, { kind: "registerCheckpoints" }>["checkpoints"][number];
