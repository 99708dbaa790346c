/**
 * The command line that starts a program in isolation: pure.
 *
 * Invariant: every step is either an `exec`, so the process id stays, or (with process ids of its own) exactly two forks:
 * `unshare`, whose id the parent knows, and below it a shell that is the first process of the namespace. The shell stays
 * root's and waits for the program, so that a program taken over can neither outlive nor detach from what holds it: with
 * the engine `unshare` dies, with `unshare` the shell, with the shell the kernel ends everything in the namespace.
 */
import type { Isolation } from "./isolation.ts";

export interface ProcessLimits {
  /** RLIMIT_DATA, KB: private writable memory of one process. */
  readonly dataKb: number;
  /** All memory of all its processes, shared and files in memory included, MB; in force where there is a memory group. */
  readonly memoryMb: number;
  /** RLIMIT_CPU, s. */
  readonly cpuS: number;
  /** RLIMIT_NOFILE. */
  readonly files: number;
  /** RLIMIT_FSIZE, in blocks of 512 bytes; 0 for a program that writes no file. */
  readonly fileBlocks: number;
  /** RLIMIT_NPROC, threads included; in force only where the process has a user of its own. */
  readonly processes: number;
  /** RLIMIT_STACK, KB; the engine's own where not given or where less is allowed. */
  readonly stackKb?: number;
}

/** A prepared root (private-root.ts): a folder whose `jail` becomes `/`, and the mounts that fill it. */
export interface PrivateRoot {
  readonly folder: string;
  readonly mounts: string;
  /** The program that drops privileges, by its path inside and outside. */
  readonly setpriv: string;
}

export interface CommandInput {
  readonly isolation: Isolation;
  /** Absolute path and arguments of the program. */
  readonly argv: readonly string[];
  /** The process's own user; null for the engine's. */
  readonly uid: number | null;
  readonly gid: number;
  readonly limits: ProcessLimits;
  /** Needed for a private root. */
  readonly root: PrivateRoot | null;
  /** File that takes a process into its memory group. */
  readonly memoryGroup: string | null;
}

/** Executable and arguments. */
export function buildIsolatedCommand(input: CommandInput): readonly [string, readonly string[]] {
  const { isolation, root } = input;
  const inRoot = isolation.root === "private" && root !== null;
  const chain = [
    ...(isolation.processes === "own" ? ["setpriv", "--pdeathsig=KILL", "--"] : []),
    ...["/bin/sh", "-c", writeLimits(input), "sh", ...(input.memoryGroup === null ? [] : [input.memoryGroup])],
    ...listNamespaceOptions(isolation),
    ...(isolation.processes === "own" || inRoot ? ["/bin/sh", "-c", enterScript(isolation, inRoot), "sh"] : []),
    ...(inRoot ? [root.mounts, root.folder] : []),
    ...(isolation.privileges === "kept" ? [] : dropPrivileges(inRoot ? root.setpriv : "setpriv", input)),
    ...input.argv,
  ];
  const [command = "/bin/sh", ...args] = chain;
  return [command, args];
}

function listNamespaceOptions({ network, ipc, processes, root }: Isolation): string[] {
  const flags = [
    ...(network === "empty-by-user-namespace" ? ["--user"] : []),
    ...(network === "host" ? [] : ["--net"]),
    ...(ipc === "own" ? ["--ipc", "--uts"] : []),
    ...(root === "private" ? ["--mount"] : []),
    ...(processes === "own" ? ["--pid", "--fork", "--kill-child"] : []),
  ];
  return flags.length === 0 ? [] : ["unshare", ...flags, "--"];
}

/**
 * Enters the new namespaces. The private root is moved over the old one, which nothing can reach from then
 * on, and the program starts below it, in `jail`: the kernel gives no user namespace to a process whose root is not that
 * of its mounts, and without one no privilege to leave by.
 */
function enterScript({ ipc, processes }: Isolation, inRoot: boolean): string {
  const run = inRoot ? 'chroot ./jail "$@"' : '"$@"';
  return [
    // kept by the namespace, so nobody else's; a machine that shows them read-only keeps its own
    ...(ipc === "own" ? ["{ echo 0 >/proc/sys/kernel/shmmni; echo 0 >/proc/sys/kernel/msgmni; } 2>/dev/null"] : []),
    ...(ipc === "own" ? ["{ echo '0 0 0 0' >/proc/sys/kernel/sem; } 2>/dev/null"] : []),
    ...(ipc === "own" ? ["{ echo 0 >/proc/sys/fs/mqueue/queues_max; } 2>/dev/null"] : []),
    ...(inRoot ? ['mount -a -T "$1" && cd "$2" && mount --move . / && shift 2 || exit 126; unset PWD OLDPWD'] : []),
    ...(processes === "own" ? [run, "exit $?"] : [`exec ${run}`]),
  ].join("; ");
}

/** The signal comes last in setpriv too: the kernel forgets it with a change of user. */
function dropPrivileges(setpriv: string, { uid, gid }: CommandInput): string[] {
  return [setpriv, ...(uid === null ? [] : listUserOptions(uid, gid)), "--no-new-privs", "--pdeathsig=KILL", "--"];
}

function listUserOptions(uid: number, gid: number): string[] {
  return [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"];
}

/**
 * One `ulimit` per option: several in one call set nothing in dash, silently. The limit on processes counts all of a
 * user's, so it is set only where the user is the process's own; it is `-p` in dash and `-u` in bash, where `-p` fails.
 */
function writeLimits({ limits, uid, memoryGroup }: CommandInput): string {
  const { dataKb, cpuS, files, fileBlocks, processes, stackKb } = limits;
  return [
    "umask 077",
    ...(memoryGroup === null ? [] : ['echo $$ >"$1"', "shift"]),
    `ulimit -d ${dataKb}`,
    `ulimit -t ${cpuS}`,
    "ulimit -c 0",
    `ulimit -f ${fileBlocks}`,
    // where less is allowed, deep recursion ends the process instead of the script
    ...(stackKb === undefined ? [] : [`{ ulimit -s ${stackKb} 2>/dev/null || true; }`]),
    `ulimit -n ${files}`,
    ...(uid === null ? [] : [`{ ulimit -p ${processes} 2>/dev/null || ulimit -u ${processes}; }`]),
    'exec "$@"',
  ].join(" && ");
}
