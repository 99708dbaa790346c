import { spawnSync } from "node:child_process";

/** A command line that runs what follows it among mounts of its own; the user stays who they are. */
const CANDIDATE =
  process.getuid?.() === 0 ? ["unshare", "--mount"] : ["unshare", "--map-current-user", "--keep-caps", "--mount"];

/** The same where this machine allows it, else null, with a message. */
export const ownMounts: readonly string[] | null = probe();

function probe(): readonly string[] | null {
  const [unshare = "", ...options] = CANDIDATE;
  const { status, stderr } = spawnSync(unshare, [...options, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
    encoding: "utf8",
  });
  if (status === 0) return CANDIDATE;
  console.warn(`skipped: this machine allows no mounts of one's own (${(stderr ?? "").trim()})`);
  return null;
}
