import { BAD_DAYS } from "./bad-days.ts";
import { CHANGES } from "./changes.ts";
import { CRASHES } from "./crashes.ts";
import { HOOKS } from "./hooks.ts";
import { INSTALLS } from "./installs.ts";
import { LEAVES } from "./leaves.ts";
import type { Level } from "./level.ts";
import { LINKS } from "./links.ts";
import { READS } from "./reads.ts";
import { RESOLVES } from "./resolves.ts";

/** The levels there are, each above the one before it. */
export const LEVELS: readonly [Level, ...Level[]] = [
  READS,
  RESOLVES,
  INSTALLS,
  HOOKS,
  BAD_DAYS,
  CRASHES,
  CHANGES,
  LINKS,
  LEAVES,
];

/** The highest there is. */
export const HIGHEST = Math.max(...LEVELS.map(({ number }) => number));
