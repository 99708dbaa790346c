/** The isolation this machine gives: found by starting a program that does nothing in it, best first. */

import type { PrivateRoot, ProcessLimits } from "./command.ts";
import { IsolatedProcess } from "./isolated-process.ts";
import { type Isolation, listIsolationLevels } from "./isolation.ts";
import { makePrivateFolder, removeFolder } from "./private-folder.ts";
import { makePrivateRoot } from "./private-root.ts";
import { areChildrenTold } from "./use.ts";

const SHELL = "/bin/sh";
const LIMITS: ProcessLimits = { dataKb: 100_000, memoryMb: 100, cpuS: 5, files: 64, fileBlocks: 0, processes: 64 };

let found: Promise<readonly Isolation[]> | null = null;

/** The best isolation that works here, and the weaker ones that might; looked for once. */
export function findIsolation(): Promise<readonly Isolation[]> {
  if (found !== null) return found;
  const search = searchIsolation();
  found = search;
  search.catch(() => {
    if (found === search) found = null;
  });
  return search;
}

async function searchIsolation(): Promise<readonly Isolation[]> {
  const folder = await makePrivateFolder("sandbox");
  try {
    const root = await makePrivateRoot(folder, { programs: [SHELL] });
    const candidates = listIsolationLevels(process.getuid?.() === 0).filter((isolation) =>
      isThinkable(isolation, root),
    );
    for (const [index, isolation] of candidates.entries())
      if (await doesWork(isolation, root)) return candidates.slice(index);
    return [];
  } finally {
    await removeFolder(folder);
  }
}

/** Whether it can be tried: a process that is counted and killed by its process id has to be found by it. */
function isThinkable(isolation: Isolation, root: PrivateRoot | null): boolean {
  return (isolation.root === "host" || root !== null) && (isolation.processes === "host" || areChildrenTold());
}

async function doesWork(isolation: Isolation, root: PrivateRoot | null): Promise<boolean> {
  const argv = [SHELL, "-c", "exit 7"];
  const isolated = new IsolatedProcess(
    { argv, limits: LIMITS, root, stdio: ["ignore", "ignore", "ignore"] },
    isolation,
  );
  return (await isolated.exited).code === 7;
}
