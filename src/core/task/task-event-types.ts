/** The types of entries in the log of tasks. */
export const TASK_EVENT_TYPES = [
  "task.created",
  "task.updated",
  "task.dropped",
  "task.notified",
  "task.quarantined",
  "task.released",
  "task.dismissed",
] as const;
