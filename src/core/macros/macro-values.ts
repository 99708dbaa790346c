/** What values mean in macros: as text, as a truth, as an app's share of memory and graphics cards. */
import type { Json, JsonObject } from "../json/json.ts";
import type { Gpu } from "../plan/host-facts.ts";

/** The text of a value inside longer text (docs/decisions.md, section 2.2). */
export function toText(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}

/** docs/decisions.md, section 2.3: false are `false`, `0`, `""`, null and the text `false` in any case. */
export function isTrue(value: Json): boolean {
  const text = toText(value).trim();
  return text !== "" && text !== "0" && text.toLowerCase() !== "false";
}

/** `$GPU_CONFIG()` (docs/decisions.md, section 1): an NVIDIA card counts when its drivers gave it a uuid. */
export function buildGpuConfig(gpus: readonly Gpu[]): JsonObject {
  const usable = gpus.filter(isUsable);
  const nvidia = usable.filter(isNvidia);
  if (nvidia.length === 0) return { use_all_gpus: usable.length > 0 };
  const selection = nvidia.map(({ slot, uuid }) => [slot, { use_gpu: true, uuid: uuid ?? "" }] as const);
  return { use_all_gpus: true, nvidia_gpu_selection: Object.fromEntries(selection) };
}

/** Whether an app can use a graphics card of the host. */
export function isUsable(gpu: Gpu): boolean {
  return !isNvidia(gpu) || gpu.uuid !== undefined;
}

function isNvidia({ vendor }: Gpu): boolean {
  return /nvidia/i.test(vendor);
}

/** The larger of `percent` of the host's memory and `minimum`, in whole MB. */
export function computeMemory(memoryMb: number, percent: number, minimum: number): number {
  // The product may miss a whole number by a rounding error: six places are far below one MB and far above the error.
  return Math.max(Math.floor(Number(((memoryMb * percent) / 100).toFixed(6))), minimum);
}
