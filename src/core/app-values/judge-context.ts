import type { Json, JsonObject } from "../json/json.ts";

/** What a judgement knows beside the questions. */
export interface JudgeContext {
  /** Questions of the install script whose answers, not given yet, are part of a text or number. */
  readonly openAnswers?: (value: Json) => OpenAnswers | null;
  /** Ids of the host's certificates; absent if they are not known. */
  readonly certificates?: readonly number[];
  /** Values of the installed app: what its questions call immutable has to stay. */
  readonly before?: JsonObject;
}

/** A value that depends on answers nobody has given yet. */
export interface OpenAnswers {
  readonly keys: readonly string[];
  /** Whether the answer is the whole value, so that nothing but its type is known. */
  readonly whole: boolean;
  /** The value with an example for each answer. */
  readonly example: Json;
}
