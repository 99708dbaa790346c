/**
 * A context call as the engine may see it: no secret in its texts and nothing that deceives a reader, none longer than is
 * kept. In steps: lists may be long.
 */
import { MASKED, type Mask } from "../../src/core/report/mask.ts";
import { toPlainMasked } from "../../src/core/report/plain-words.ts";
import type { ContextCall } from "../protocol/context-call.ts";
import { TEXT_LIMITS } from "../protocol/ops.ts";
import { maskDetails, maskPlain } from "./endings.ts";

export function* maskCall(call: ContextCall, mask: Mask): Generator<void, ContextCall> {
  const shown = (message: string) => maskPlain(message, mask, TEXT_LIMITS.checkpoint);
  switch (call.kind) {
    case "registerCheckpoints": {
      const checkpoints: Checkpoint[] = [];
      for (const { id, message } of call.checkpoints) {
        checkpoints.push({ id: maskId(id, mask), message: shown(message) });
        yield;
      }
      return { ...call, checkpoints };
    }
    case "emitCheckpoint":
    case "updateCheckpointMessage":
    case "skipCheckpoint":
      return {
        ...call,
        id: maskId(call.id, mask),
        ...(call.message !== undefined && { message: shown(call.message) }),
      };
    case "awaitCheckpointRetry":
      return {
        ...call,
        id: maskId(call.id, mask),
        error: maskPlain(call.error, mask, TEXT_LIMITS.message),
        context: yield* maskDetails(call.context, mask),
      };
    case "setProgress":
    case "getInstalledAppUrl":
      return call;
  }
}

/** The id of a checkpoint, which is shown where it has no text; one of which nothing is left is masked. */
export function maskId(id: string, mask: Mask): string {
  return toPlainMasked(id, mask) || MASKED;
}

type Checkpoint = Extract<ContextCall, { kind: "registerCheckpoints" }>["checkpoints"][number];
