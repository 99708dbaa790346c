import { isJsonObject, type Json } from "../json.ts";
import type { Kept } from "../parse-dictionary-normal.ts";
import { listAt } from "../parse-dictionary-read.ts";
import type { CodedFinding } from "./finding.ts";

export interface Examination {
  readonly findings: readonly CodedFinding[];
  /** null when the script itself is refused. */
  readonly kept: Kept | null;
}

/** Runs the whole rule table over a script. */
export function examine(_appId: string, value: Json, extra: readonly CodedFinding[]): Examination {
  if (!isJsonObject(value)) return { findings: [...extra], kept: null };
  return {
    findings: [...extra],
    kept: { hooks: [...listAt(value, "hooks").keys()], widgets: [...listAt(value, "widgets").keys()] },
  };
}
