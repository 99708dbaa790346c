/** Names and sizes of files as people read them. Whoever made a file chose its name. Pure. */
import { useNumberFormat } from "../../ui/format/formatters.ts";
import { showUnseen } from "../../ui/show-unseen.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

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
