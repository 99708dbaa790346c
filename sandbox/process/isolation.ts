/** Layers around a process that not every machine gives, and the combinations worth trying. Pure. */

/** The layers around one process, each there or not. */
export interface Isolation {
  /** `own`: another user for each process; needs root. */
  readonly user: "own" | "same";
  /** `empty`: a network namespace without interfaces; as root, or by a user namespace. */
  readonly network: "empty" | "empty-by-user-namespace" | "host";
  /** `dropped`: no privileges to be gained by exec, and killed with the engine at once, also while it computes; needs setpriv. */
  readonly privileges: "dropped" | "kept";
  /** `own`: shared memory, semaphores, message queues and host name of its own, gone with it. */
  readonly ipc: "own" | "host";
  /** `own`: it sees no process but its own, and nothing it started outlives it. */
  readonly processes: "own" | "host";
  /** `private`: a read-only root that holds nothing but what the program needs; no user namespaces in it. */
  readonly root: "private" | "host";
}

/** None of the layers: the engine's own user, which sees what the engine sees. */
export const NO_ISOLATION: Isolation = {
  user: "same",
  network: "host",
  privileges: "kept",
  ipc: "host",
  processes: "host",
  root: "host",
};

/** The combinations to try, best first. */
export function listIsolationLevels(root: boolean): readonly Isolation[] {
  return [...(root ? listRootLevels() : []), ...listAnyUserLevels(root)];
}

function listRootLevels(): Isolation[] {
  const own = { user: "own", privileges: "dropped" } as const;
  return (["empty", "host"] as const).flatMap((network): Isolation[] => [
    { ...own, network, ipc: "own", processes: "own", root: "private" },
    { ...own, network, ipc: "own", processes: "host", root: "private" },
    { ...own, network, ipc: "own", processes: "own", root: "host" },
    { ...own, network, ipc: "own", processes: "host", root: "host" },
    { ...own, network, ipc: "host", processes: "host", root: "host" },
  ]);
}

/** Without another user a root of its own and process ids of its own would only seem to isolate. */
function listAnyUserLevels(root: boolean): Isolation[] {
  const same = { user: "same", processes: "host", root: "host" } as const;
  const apart = { network: root ? "empty" : "empty-by-user-namespace", ipc: "own" } as const;
  const none = { network: "host", ipc: "host" } as const;
  return [
    { ...same, ...apart, privileges: "dropped" },
    { ...same, ...none, privileges: "dropped" },
    { ...same, ...apart, privileges: "kept" },
    { ...same, ...none, privileges: "kept" },
  ];
}
