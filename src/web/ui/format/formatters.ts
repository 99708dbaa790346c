/** Formatters of `Intl`, each made once: making one takes as long as hundreds of uses, and a list has hundreds of moments. */

function keepMade<Options, Formatter>(make: (locale: string, options: Options) => Formatter) {
  const made = new Map<string, Formatter>();
  return (locale: string, options: Options): Formatter => {
    const key = JSON.stringify([locale, options]);
    const formatter = made.get(key) ?? make(locale, options);
    made.set(key, formatter);
    return formatter;
  };
}

/** The formatter of moments with these options. */
export const useDateFormat = keepMade(
  (locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** The formatter of numbers with these options. */
export const useNumberFormat = keepMade(
  (locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

/** The formatter of times from now with these options. */
export const useRelativeFormat = keepMade(
  (locale: string, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);
