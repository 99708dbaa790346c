/**
 * Ms after which a test says what it waits for in vain: shortly before its own time is over. What it waits for comes as soon
 * as the machine can, so nothing shorter tells more.
 */
export const WITHIN_MS = 120_000;
