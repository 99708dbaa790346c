/** Moments, lengths of time and sizes as the chosen language writes them, in the country's way where the browser knows it. */

import { words } from "../words.ts";
import { useDateFormat, useNumberFormat, useRelativeFormat } from "./formatters.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** The language of the words, with the country the browser says. */
export function readLocale(): string {
  return chooseLocale(words().language, navigator.languages);
}

/** The first of a browser's tags that is of the language, else the language; some browsers say "en-US@posix". */
export function chooseLocale(language: string, tags: readonly string[]): string {
  return tags.find((tag) => tag.split("-", 1)[0] === language && isLanguageTag(tag)) ?? language;
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** A length of time in its two largest parts, as "2 min 5 sec"; below ten seconds with a tenth. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < 1_000) return formatUnit(Math.round(whole), "millisecond");
  if (whole < 10_000) return formatUnit(Math.round(whole / 100) / 10, "second");
  const seconds = Math.round(whole / 1_000);
  if (seconds < 60) return formatUnit(seconds, "second");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return join(formatUnit(minutes, "minute"), seconds % 60, "second");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return join(formatUnit(hours, "hour"), minutes % 60, "minute");
  return join(formatUnit(Math.floor(hours / 24), "day"), hours % 24, "hour");
}

/** A past moment as a person says it: how long ago within a day, else the day and time. `at` is ISO 8601, `now` UTC ms. */
export function formatMoment(at: string, now: number): string {
  const seconds = Math.min(0, Math.round((Date.parse(at) - now) / 1_000));
  const relative = useRelativeFormat(readLocale(), { numeric: "auto", style: "short" });
  const ago = Math.abs(seconds);
  if (ago < 10) return relative.format(0, "second");
  if (ago < 60) return relative.format(seconds, "second");
  if (ago < 3_600) return relative.format(Math.trunc(seconds / 60), "minute");
  if (ago < 86_400) return relative.format(Math.trunc(seconds / 3_600), "hour");
  return formatTime(at);
}

/** Day and time. */
export function formatTime(at: string): string {
  return useDateFormat(readLocale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
}

/** A day of the week, of which 0 is Sunday. */
export function nameDay(day: number): string {
  // 1 January 2023 was a Sunday.
  return useDateFormat(readLocale(), { weekday: "long" }).format(new Date(2023, 0, 1 + day));
}

/** A share of a hundred. */
export function formatPercent(share: number): string {
  return useNumberFormat(readLocale(), { style: "percent" }).format(share / 100);
}

/** A size in bytes, in its largest unit of a thousand. */
export function formatSize(bytes: number, locale: string): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  return useNumberFormat(locale, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: digits,
  }).format(value);
}

function formatUnit(value: number, unit: string): string {
  return useNumberFormat(readLocale(), { style: "unit", unit, unitDisplay: "narrow" }).format(value);
}

function join(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${formatUnit(small, unit)}`;
}
