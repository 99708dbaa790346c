/** Commands of a person to a task: each is the event `user.<command>` of its machine. */

/** Every command, in the order they are offered. */
export const COMMANDS = ["retry", "input", "skip", "rollback", "cancel", "dismiss"] as const;

/** One of them; `input` comes with values, the others are decisions. */
export type Command = (typeof COMMANDS)[number];
