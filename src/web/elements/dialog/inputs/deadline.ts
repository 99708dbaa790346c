/** A moment that something has to be done by, as `Intl` writes it, with what is left of it. */
import { readLocale } from "../../../ui/format/format.ts";
import { useDateFormat, useRelativeFormat } from "../../../ui/format/formatters.ts";
import type { Words } from "../../../ui/words.ts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** "Until 21:03 (in 14 minutes)"; `now` is UTC ms. */
export function tellDeadline(words: Words, iso: string, now: number): string {
  const at = new Date(iso);
  const left = at.getTime() - now;
  const [unit, size] = UNITS.find(([, ms]) => Math.abs(left) >= ms) ?? ["second", 1_000];
  const relative = useRelativeFormat(readLocale(), { numeric: "always" }).format(Math.trunc(left / size), unit);
  const isFar = left > 12 * 3_600_000;
  const time = useDateFormat(readLocale(), {
    timeStyle: "short",
    ...(isFar && { dateStyle: "medium" }),
  }).format(at);
  return words.inputs.until(time, relative);
}
