import { userInfo } from "node:os";
import { isPlainLine } from "../../core/report/plain-text.ts";
import type { By } from "../../engine/api.ts";

/** Whoever runs the command, as the operating system knows them. */
export function byUser(): By {
  const id = `uid ${process.getuid?.() ?? "unknown"}`;
  const name = readUserName();
  const isShown = name !== null && name.length > 0 && name.length <= 200 && isPlainLine(name);
  return { actor: { id, name: isShown ? name : id, how: "CLI" } };
}

/** null for a user the system has no name for, as in a container. */
function readUserName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
