/** Names and sizes of files as people read them. Whoever made a file chose its name. Pure. */

/** Characters that show nothing or turn the direction of the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A part of a path with every unseen character made visible, as `<U+202E>`. */
export function showUnseen(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size in bytes, in its largest unit of a thousand. */
export function formatSize(bytes: number, locale: string): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: digits,
  }).format(value);
}

/** A folder on the way to another one. */
export interface Crumb {
  readonly label: string;
  readonly path: string;
}

/** The folders from the location a path lies in down to itself; without a location the path alone. */
export function listCrumbs(
  path: string,
  locations: readonly { readonly label: string; readonly path: string }[],
): readonly Crumb[] {
  const [location] = locations
    .filter((each) => path === each.path || path.startsWith(`${each.path}/`))
    .toSorted((a, b) => a.path.length - b.path.length);
  if (location === undefined) return [{ label: showUnseen(path), path }];
  const crumbs: Crumb[] = [{ label: location.label, path: location.path }];
  let at = location.path;
  for (const segment of path.slice(location.path.length).split("/")) {
    if (segment === "") continue;
    at = `${at}/${segment}`;
    crumbs.push({ label: showUnseen(segment), path: at });
  }
  return crumbs;
}
