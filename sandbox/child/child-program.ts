/** The files processes of scripts are started from. */
import type { PrivateRoot } from "../process/command.ts";

/** Group of every child: may read the bundle, owns nothing. */
export const CHILD_GID = 64_000;

/** The files a child is started from. */
export interface ChildProgram {
  /** The bundle. */
  readonly path: string;
  /** isolated-vm's native file, copied beside it, because the child's user may not reach `node_modules`. */
  readonly addon: string;
  readonly execPath: string;
  /** Flags of Node beyond the hardening; empty but in tests of a compromised child. */
  readonly flags: readonly string[];
}

export interface ChildFiles {
  readonly program: ChildProgram;
  /** The root it sees; null where none can be made. */
  readonly root: PrivateRoot | null;
}
