/** What an author says of an app that does not exist yet. */
import { INDEX_FILE } from "../../adapters/catalog/catalog-index.ts";
import { PROJECT_FILES } from "../../adapters/catalog/list-scripts.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { isPlainLine } from "../../core/report/plain-text.ts";
import { APP_ID, APP_ID_WORDS } from "../../core/script/app-id.ts";
import { LOCATIONS } from "../../core/script/script-words.ts";

/** An app to be written. */
export interface NewApp {
  readonly appId: string;
  /** For people. */
  readonly name: string;
  /** The port its page is published on. */
  readonly port: number;
  readonly locations: readonly (typeof LOCATIONS)[number][];
  readonly hook: boolean;
  readonly widget: boolean;
}

/** Most UTF-16 units of a name. */
const LONGEST_NAME = 60;

/** Says that an app uses no location. */
const NONE = "none";

/** Files and folders of a catalog that are no app's. */
const TAKEN: ReadonlySet<string> = new Set([
  ...[INDEX_FILE, ...PROJECT_FILES].map((file) => file.replace(/\.json$/, "")),
  "standin",
]);

/** Why an id can't be an app's; null where it can. */
export function refuseAppId(appId: string): string | null {
  if (!APP_ID.test(appId)) return `"${appId}" is not an app id: allowed are ${APP_ID_WORDS}`;
  return TAKEN.has(appId) ? `"${appId}" means something else in a catalog: choose another id` : null;
}

/** Why a text can't be an app's name; null where it can. */
export function refuseName(name: string): string | null {
  if (name.trim() !== "" && name.length <= LONGEST_NAME && isPlainLine(name)) return null;
  return `a name is one line of 1 to ${LONGEST_NAME} characters that can be seen`;
}

/** Why a number can't be a port; null where it can. */
export function refusePort(port: number | undefined): string | null {
  return Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535
    ? null
    : "a port is a whole number from 1 to 65535";
}

/** The locations of these names, each once, in the order of the list; `none` alone is none. Throws `CLI_USAGE`. */
export function readLocations(names: readonly string[]): NewApp["locations"] {
  if (names.includes(NONE)) {
    if (names.every((name) => name === NONE)) return [];
    throw new EngineError("CLI_USAGE", `"${NONE}" stands for no location, and can't be given beside others`);
  }
  const unknown = names.find((name) => !LOCATIONS.some((location) => location === name));
  if (unknown !== undefined)
    throw new EngineError("CLI_USAGE", `"${unknown}" is not a location; there are ${LOCATIONS.join(", ")}`);
  return LOCATIONS.filter((location) => names.includes(location));
}

/** A name for people out of an id: `my-app` is `My App`. */
export function toName(appId: string): string {
  return appId
    .split("-")
    .filter((word) => word !== "")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(" ");
}
