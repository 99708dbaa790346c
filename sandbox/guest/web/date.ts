/** `Date` and `performance` read the delivery's time; `Intl.DateTimeFormat` without a date too. */
import { readNow, readTimeOrigin } from "../bridge/bridge.ts";
import { apply, construct, defineProperty, RealDate } from "../bridge/primordials.ts";
import { EventTarget } from "./events/event-target.ts";
import { CONSTRUCT, exposeMembers, requireGuest } from "./webidl.ts";

/** A Date constructor whose present is the delivery's time. */
export function createDate(): DateConstructor {
  function GuestDate(...args: unknown[]): unknown {
    if (new.target === undefined) return construct(RealDate, [readNow()]).toString();
    return construct(RealDate, args.length === 0 ? [readNow()] : args, new.target);
  }
  const statics = { now: () => Math.floor(readNow()), parse: RealDate.parse, UTC: RealDate.UTC };
  for (const [key, value] of Object.entries(statics)) {
    defineProperty(GuestDate, key, { value, configurable: true, writable: true });
  }
  defineProperty(GuestDate, "name", { value: "Date", configurable: true });
  defineProperty(GuestDate, "length", { value: 7, configurable: true });
  defineProperty(GuestDate, "prototype", { value: RealDate.prototype, writable: false });
  defineProperty(RealDate.prototype, "constructor", { value: GuestDate, configurable: true, writable: true });
  return GuestDate as unknown as DateConstructor;
}

/** Makes date formats without an argument use the delivery's time. */
export function patchDateFormats(): void {
  const { prototype } = Intl.DateTimeFormat;
  const { formatToParts } = prototype;
  const format = Object.getOwnPropertyDescriptor(prototype, "format")?.get;
  if (format === undefined) return;
  defineProperty(prototype, "formatToParts", {
    value(this: Intl.DateTimeFormat, date?: Date) {
      return apply(formatToParts, this, [date ?? readNow()]);
    },
    configurable: true,
    writable: true,
  });
  defineProperty(prototype, "format", {
    get(this: Intl.DateTimeFormat) {
      const bound: (date: unknown) => string = apply(format, this, []);
      return (date?: unknown) => bound(date ?? readNow());
    },
    configurable: true,
  });
}

export class Performance extends EventTarget {
  readonly #brand = true;

  constructor(key?: unknown) {
    requireGuest(key);
    super();
  }

  get timeOrigin(): number {
    void this.#brand;
    return readTimeOrigin();
  }
  now(): number {
    void this.#brand;
    return readNow() - readTimeOrigin();
  }
  toJSON(): { timeOrigin: number } {
    return { timeOrigin: this.timeOrigin };
  }
}
exposeMembers(Performance, "Performance");

export const performance = new Performance(CONSTRUCT);
