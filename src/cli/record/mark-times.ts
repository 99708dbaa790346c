/** Times of the day of a recording, replaced by marks that a reader knows and no later recording changes. Pure. */
import { isJsonObject, type Json } from "../../core/json/json.ts";

/** Years marks are in: what was past stays past, and what was to come is still to come. */
const [PAST, FUTURE] = ["2000", "2100"] as const;

const ISO = /\b(\d{4}-\d{2}-\d{2})([T ])(\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(Z|[+-]\d{2}:?\d{2})?/g;
const HTTP_DATE = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2}[ -][A-Z][a-z]{2}[ -]\d{4} \d{2}:\d{2}:\d{2} GMT\b/g;
const TIME_NAME = /time|date|expir|created|updated|modified|since|until|seen$|Seen$|(?:_a|A)t$|^(?:exp|iat|nbf)$/;

/** Seconds from 2000 to 2100: a number outside is no time of today. */
const [FIRST, LAST] = [946_684_800, 4_102_444_800] as const;

/** A text with each time in it marked; `now` in ms since 1970. */
export function markTimesInText(text: string, now: number): string {
  const toYear = (found: string) => (Date.parse(found) > now ? FUTURE : PAST);
  return text
    .replace(HTTP_DATE, (found) =>
      toYear(found) === PAST ? "Sat, 01 Jan 2000 00:00:00 GMT" : "Fri, 01 Jan 2100 00:00:00 GMT",
    )
    .replace(ISO, (found, _day: string, divider: string, clock: string, fraction = "", zone = "") => {
      const zero = (digits: string) => digits.replaceAll(/\d/g, "0");
      return `${toYear(found)}-01-01${divider}${zero(clock)}${zero(fraction)}${zone}`;
    });
}

/** A body with each time in it marked, also numbers, written as text too, where their name says time. */
export function markTimes(value: Json, now: number, name = ""): Json {
  if (typeof value === "string" && TIME_NAME.test(name) && /^\d{9,13}$/.test(value))
    return String(markNumber(Number(value), now));
  if (typeof value === "string") return markTimesInText(value, now);
  if (typeof value === "number") return TIME_NAME.test(name) ? markNumber(value, now) : value;
  if (Array.isArray(value)) return value.map((item: Json) => markTimes(item, now, name));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, markTimes(item, now, key)]));
}

/** A number of seconds or ms since 1970; any other as it is. */
function markNumber(value: number, now: number): number {
  const unit = [1, 1000].find((each) => value >= FIRST * each && value <= LAST * each);
  if (unit === undefined) return value;
  return ((value / unit) * 1000 > now ? LAST : FIRST) * unit;
}
