/** The command line a hardened child is started with: pure, from the layers a probe found to work. */
import { CHILD_LIMITS } from "./limits.ts";

/** Group of every child: may read the bundle, owns nothing. */
export const CHILD_GID = 64_000;
/** The walls around a child that not every machine gives. */
export interface Walls {
  /** `own`: another user for each child; needs root. */
  readonly user: "own" | "same";
  /** `empty`: a network namespace without interfaces; as root, or by a user namespace. */
  readonly network: "empty" | "empty-by-user-namespace" | "host";
  /** `dropped`: no privileges to be gained by exec, and killed with the engine at once, also while it computes; needs setpriv. */
  readonly privileges: "dropped" | "kept";
}

/** The combinations to try, best first. */
export function wallsToTry(root: boolean): readonly Walls[] {
  const network = root ? "empty" : "empty-by-user-namespace";
  return [
    ...(root
      ? ([
          { user: "own", network, privileges: "dropped" },
          { user: "own", network: "host", privileges: "dropped" },
        ] as const)
      : []),
    { user: "same", network, privileges: "dropped" },
    { user: "same", network: "host", privileges: "dropped" },
    { user: "same", network, privileges: "kept" },
    { user: "same", network: "host", privileges: "kept" },
  ];
}

/** What a command line is made of. */
export interface CommandInput {
  readonly walls: Walls;
  /** The child's own user; null for the engine's. */
  readonly uid: number | null;
  readonly execPath: string;
  readonly bundle: string;
  readonly addon: string;
  readonly flags: readonly string[];
}

/** Executable and arguments; every step of the chain is an `exec`, so the process id stays. */
export function childCommand(input: CommandInput): readonly [string, readonly string[]] {
  const chain = [
    ...NETWORK[input.walls.network],
    ...(input.walls.privileges === "kept" ? [] : dropPrivileges(input.uid)),
    "/bin/sh",
    "-c",
    limitScript(input.uid !== null),
    "sh",
    input.execPath,
    "--no-node-snapshot",
    "--jitless",
    `--stack-size=${CHILD_LIMITS.scriptStackKb}`,
    "--permission",
    "--disable-warning=PERM0001",
    "--allow-addons",
    `--allow-fs-read=${input.bundle}`,
    ...input.flags,
    input.bundle,
    input.addon,
  ];
  const [command = "/bin/sh", ...args] = chain;
  return [command, args];
}

const NETWORK = {
  empty: ["unshare", "--net", "--"],
  "empty-by-user-namespace": ["unshare", "--user", "--net", "--"],
  host: [],
} as const;

/** The signal comes last in setpriv too: the kernel forgets it with a change of user. */
function dropPrivileges(uid: number | null): string[] {
  return ["setpriv", ...(uid === null ? [] : asUser(uid)), "--no-new-privs", "--pdeathsig=KILL", "--"];
}

function asUser(uid: number): string[] {
  return [`--reuid=${uid}`, `--regid=${CHILD_GID}`, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"];
}

/**
 * One `ulimit` per option: several in one call set nothing in dash, silently. The limit on processes counts all of a
 * user's, so it is set only where the user is the child's own; it is `-p` in dash and `-u` in bash, where `-p` fails.
 */
function limitScript(ownUser: boolean): string {
  const { dataKb, cpuS, files, processes } = CHILD_LIMITS;
  return [
    `ulimit -d ${dataKb}`,
    `ulimit -t ${cpuS}`,
    "ulimit -c 0",
    "ulimit -f 0",
    // where less is allowed, deep recursion ends the process instead of the script
    `{ ulimit -s ${CHILD_LIMITS.stackKb} 2>/dev/null || true; }`,
    `ulimit -n ${files}`,
    ...(ownUser ? [`{ ulimit -p ${processes} 2>/dev/null || ulimit -u ${processes}; }`] : []),
    'exec "$@"',
  ].join(" && ");
}
