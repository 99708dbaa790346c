/** The page's addresses, and what each of them shows. Pure, apart from the base path a page chooses once. */

const DIALOGS = ["install", "custom", "options", "upgrade", "rollback", "uninstall", "adopt"] as const;

/** A dialog of an app's page, with an address of its own. */
export type AppDialog = (typeof DIALOGS)[number];

/** What an address shows; `unknown` is none of the page's. */
export type Place =
  | { readonly screen: "home" | "apps" | "audit" | "upgrades" | "health" | "notifications" | "unknown" }
  | { readonly screen: "app"; readonly app: string; readonly dialog?: AppDialog }
  /** The list, and the task beside it; `asking` is the one under it whose questions are answered. */
  | { readonly screen: "activity"; readonly task?: string; readonly asking?: string }
  | { readonly screen: "files"; readonly path: string };

/** Reads a path below the base, without the slash at its beginning. */
export function readPlace(path: string): Place {
  const segments = path.split("/").filter((segment) => segment !== "");
  const decoded = segments.map(decode);
  if (decoded.includes(undefined)) return { screen: "unknown" };
  const [area, ...rest] = decoded.map((segment) => segment ?? "");
  const [first, second, third] = rest;
  if (area === "files") return { screen: "files", path: rest.join("/") };
  if (area === undefined) return { screen: "home" };
  if (first === undefined)
    return area === "apps" ||
      area === "audit" ||
      area === "upgrades" ||
      area === "health" ||
      area === "notifications" ||
      area === "activity"
      ? { screen: area }
      : { screen: "unknown" };
  if (area === "apps" && third === undefined) {
    if (second === undefined) return { screen: "app", app: first };
    const dialog = DIALOGS.find((name) => name === second);
    return dialog === undefined ? { screen: "unknown" } : { screen: "app", app: first, dialog };
  }
  if (area === "activity" && rest.length === 1) return { screen: "activity", task: first };
  if (area === "activity" && rest.length === 3 && second === "answer" && third !== undefined) {
    return { screen: "activity", task: first, asking: third };
  }
  return { screen: "unknown" };
}

/** Whether two places differ by a dialog at most. */
export function isSameScreen(one: Place, other: Place): boolean {
  const [before, after] = [listSegments(one), listSegments(other)];
  return one.screen !== "files" && before[0] === after[0] && before[1] === after[1];
}

/** The path of a place below the base; `readPlace` reads it back. */
export function writePlace(place: Place): string {
  return listSegments(place).map(encodeURIComponent).join("/");
}

let base: string | undefined;

/** Has elements link to the page's own addresses, below a path with a slash at its end. */
export function useBase(path: string): void {
  base = path;
}

/** The address of a place; undefined where elements stand in a page that is not ours: they tell what was chosen instead. */
export function addressOf(place: Place): string | undefined {
  return base === undefined ? undefined : `${base}${writePlace(place)}`;
}

function listSegments(place: Place): readonly string[] {
  switch (place.screen) {
    case "home":
    case "unknown":
      return [];
    case "app":
      return ["apps", place.app, ...(place.dialog === undefined ? [] : [place.dialog])];
    case "activity": {
      const { task, asking } = place;
      return ["activity", ...(task === undefined ? [] : [task]), ...(asking === undefined ? [] : ["answer", asking])];
    }
    case "files":
      return ["files", ...place.path.split("/").filter((segment) => segment !== "")];
    default:
      return [place.screen];
  }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
