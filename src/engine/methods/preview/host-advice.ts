import { explain } from "../../../core/codes/codes.ts";
import type { Failure } from "../../../core/codes/problems.ts";
import type { Mask } from "../../../core/report/mask.ts";
import type { HostAdvice } from "../../api.ts";

/** What the host has against a request without refusing it, each once, with what to do; its words masked. */
export function toHostAdvice(found: readonly Failure[], mask: Mask): readonly HostAdvice[] {
  const advice = found.map(({ code, message }) => ({ code, message: mask(message), hint: explain(code).hint }));
  return [...new Map(advice.map((one) => [one.message, one])).values()];
}
