/** Errors of a script's files: Node's codes, and the path as the script wrote it. */
import type { Answered, Mount } from "../../../sandbox/contract.ts";
import type { WireError } from "../../../sandbox/protocol/ops.ts";

/** A path that leads out of the mounts. */
export function refuseOutside<T>(mounts: readonly Mount[], path: string, syscall: string): Answered<T> {
  const allowed = mounts.map(({ localPath }) => localPath).join(", ");
  return refuseAccess(path, syscall, `outside of the app's mounts (${allowed === "" ? "it has none" : allowed})`);
}

/** EACCES with a reason for the author; the error's cause has the code `policy_denied`. */
export function refuseAccess<T>(path: string, syscall: string, reason: string): Answered<T> {
  const message = `EACCES: ${reason}, ${syscall} '${path}'`;
  return { error: { name: "Error", message, code: "EACCES", syscall, path, refused: true } };
}

const TEXTS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
};

/** An error of the file system, in Node's words. */
export function answerError<T>(code: string, syscall: string, path: string): Answered<T> {
  const message = `${code}: ${TEXTS[code] ?? "can't be read"}, ${syscall} '${path}'`;
  const error: WireError = { name: "Error", message, code, syscall, path };
  return { error };
}
