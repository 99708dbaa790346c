/** Names of files as people read them: whoever made a file chose its name. Pure. */
import { showUnseen } from "../../ui/format/show-unseen.ts";

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
