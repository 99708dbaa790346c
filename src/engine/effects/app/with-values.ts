/** The way out after a host refuses the values an app has: the upgrade with those of the app's script. */
import type { Failure } from "../../../core/codes/problems.ts";

/** Part of the context of a failure that the upgrade with values may end. */
export const WITH_VALUES = {
  label: "to try",
  value: "the upgrade with the values of its script (withValues)",
} as const;

/** Whether the host refused an upgrade for the app's values, and not for an option of the call. */
export function isAboutValues({ code, context }: Failure): boolean {
  return code === "HOST_INVALID" && context.some(({ label }) => label !== "options" && !label.startsWith("options."));
}

/** Whether an upgrade that failed so names the upgrade with values as the way out. */
export function suggestsValues({ context }: Failure): boolean {
  return context.some(({ label, value }) => label === WITH_VALUES.label && value === WITH_VALUES.value);
}
