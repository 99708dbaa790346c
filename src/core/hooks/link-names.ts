/** How links are named wherever they are shown (docs/install-scripts.md, "The install dialog"). */

/** Heading of the links in the install dialog. */
export const LINKS_TITLE = "Link with your installed apps";

/** Heading of links, and of the installs they need, in the plan of an install. */
export const LINKS_GROUP = "App customizations";

/** The row of a target that is to be installed. */
export function installAndConnect(target: string): string {
  return `Install and Connect to ${target}`;
}
