/** Copies of the database, as they are asked for and answered. */

/** A backup of the running engine's database. */
export interface BackupRequest {
  /** The file to be written, with mode 0600: it holds every secret the database holds. */
  readonly file: string;
  /** Replaces a file of that name; default: it is refused. */
  readonly replace?: boolean;
  /** Stops it; nothing is left behind then. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** How far a copy has come. */
export interface CopyProgress {
  readonly copiedBytes: number;
  readonly totalBytes: number;
}

/** A copy that was read again as an engine reads it. */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** Root tasks in it. */
  readonly tasks: number;
  /** Those of them that had not ended. */
  readonly unfinished: number;
}
