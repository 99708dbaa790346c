/** Which walls this machine gives: found by starting a program that does nothing behind them, best first. */

import type { PrivateRoot, ProcessLimits } from "./command.ts";
import { WalledProcess } from "./isolated-process.ts";
import { type Walls, wallsToTry } from "./isolation.ts";
import { makePrivateFolder, removeFolder } from "./private-folder.ts";
import { makePrivateRoot } from "./private-root.ts";
import { areChildrenTold } from "./use.ts";

const SHELL = "/bin/sh";
const LIMITS: ProcessLimits = { dataKb: 100_000, memoryMb: 100, cpuS: 5, files: 64, fileBlocks: 0, processes: 64 };

let found: Promise<readonly Walls[]> | null = null;

/** The best walls that work here, and the weaker ones that might; looked for once. */
export function findWalls(): Promise<readonly Walls[]> {
  if (found !== null) return found;
  const finding = lookForWalls();
  found = finding;
  finding.catch(() => {
    if (found === finding) found = null;
  });
  return finding;
}

async function lookForWalls(): Promise<readonly Walls[]> {
  const folder = await makePrivateFolder("sandbox");
  try {
    const root = await makePrivateRoot(folder, { programs: [SHELL] });
    const candidates = wallsToTry(process.getuid?.() === 0).filter((walls) => isThinkable(walls, root));
    for (const [index, walls] of candidates.entries()) if (await works(walls, root)) return candidates.slice(index);
    return [];
  } finally {
    await removeFolder(folder);
  }
}

/** What is counted and killed by its process id has to be found by it. */
function isThinkable(walls: Walls, root: PrivateRoot | null): boolean {
  return (walls.root === "host" || root !== null) && (walls.processes === "host" || areChildrenTold());
}

async function works(walls: Walls, root: PrivateRoot | null): Promise<boolean> {
  const argv = [SHELL, "-c", "exit 7"];
  const walled = new WalledProcess({ argv, limits: LIMITS, root, stdio: ["ignore", "ignore", "ignore"] }, walls);
  return (await walled.exited).code === 7;
}
