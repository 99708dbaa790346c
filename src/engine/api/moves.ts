/** Apps that move from one box to another, as a file. */
import type { LeftOutApp } from "./upgrades.ts";

/** An export that was made. */
export interface Exported {
  /** The text of the file, to be written as it is: a changed one is refused. */
  readonly file: string;
  /** Ids of the apps in it. */
  readonly apps: readonly string[];
  /** How many links of apps are in it. */
  readonly links: number;
  /** Whether secrets are in it, sealed. */
  readonly sealed: boolean;
  /** Installed apps that are not in it. */
  readonly leftOut: readonly LeftOutApp[];
}
