import { BAD_DAYS } from "./bad-days.ts";
import { HOOKS } from "./hooks.ts";
import { INSTALLS } from "./installs.ts";
import type { Level } from "./level.ts";
import { READS } from "./reads.ts";
import { RESOLVES } from "./resolves.ts";

/** The levels there are, each above the one before it. */
export const LEVELS: readonly [Level, ...Level[]] = [READS, RESOLVES, INSTALLS, HOOKS, BAD_DAYS];

/** The highest there is. */
export const HIGHEST = LEVELS.length;
