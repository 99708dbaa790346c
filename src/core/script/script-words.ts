/** The closed sets of words of an install script (docs/install-scripts.md, "Script6"); the schema and the rules use these. */

export const VERSIONS = [4, 5, 6] as const;

export const LOCATIONS = [
  "ApplicationsPerformance",
  "ApplicationsCapacity",
  "Media",
  "Photos",
  "Music",
  "Movies",
  "Shows",
  "Videos",
  "Downloads",
  "Documents",
  "Backups",
] as const;

/** Locations real catalogs name beyond the specification's list: resolvable where the host has them (docs/decisions.md, section 1). */
export const UNLISTED_LOCATIONS = [
  "VirtualizationPerformance",
  "VirtualizationCapacity",
  "InstallMedia",
  "VirtualDisks",
] as const;

export const SPECIFICATIONS = [
  "100MB",
  "200MB",
  "500MB",
  "1GB",
  "2GB",
  "1CORE",
  "2CORE",
  "4CORE",
  "8CORE",
  "GPU",
] as const;

export const PERMISSIONS = ["READ_WRITE_LOCATIONS"] as const;

export const QUESTION_TYPES = ["text", "number", "select", "boolean", "password"] as const;

/** Most characters of an id by which a person presses a hook, reads a widget or reveals an answer. */
export const MAX_ID = 200;

export const HOOK_KINDS = ["connect", "maintain", "custom"] as const;

export const RERUNS = ["idempotent", "converge", "refuse"] as const;

export const CONDITION_ROLES = ["visibility", "availability"] as const;

/** Condition types that name an app; only the first two can pass today. */
export const APP_CONDITIONS = ["appInstalled", "appRunning", "appVersion"] as const;

export const SLOT_TYPES = ["text", "stat", "list", "image"] as const;

/** Sizes a widget can declare, in the order they are offered. */
export const WIDGET_SIZES = ["small", "large"] as const;

export const SMALL_PLACEMENTS = ["top", "bottom"] as const;

export const LARGE_PLACEMENTS = ["left", "right", "both"] as const;

/** Automatic retries of a hook. */
export const HOOK_RETRIES = { default: 0, max: 100 } as const;

/** Seconds a hook may run when it says nothing. */
export const HOOK_TIMEOUT = { default: 300, max: 6 * 60 * 60 } as const;

/** Seconds a widget's query may take. */
export const WIDGET_TIMEOUT = { default: 10, max: 60 } as const;

/** Seconds between two queries of a widget. */
export const WIDGET_REFRESH = { default: 300, min: 10 } as const;
