/** Exit codes of every command (design.md, "Public surface"). */
export const EXIT = { done: 0, failed: 1, usage: 2, waiting: 3 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
