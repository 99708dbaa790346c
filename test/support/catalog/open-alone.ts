/** Opens a catalog in a process of its own, so that its memory and its thread's delays are those of the catalog. */
import { execFileSync } from "node:child_process";
import { SLOWNESS } from "../slowness.ts";
import { WITHIN_MS } from "../within.ts";

/** 50 ms are promised; the compiler and the garbage collector may have as much. */
export const MOST_HELD_MS = 100 * SLOWNESS;

/** What the opening took. */
export interface Measured {
  /** By app: `usable` or `refused`, then the codes of its problems. */
  readonly codes: Readonly<Record<string, readonly string[]>>;
  /** The longest the engine's thread was late, ms; other load counts. */
  readonly delayMs: number;
  /** The longest the engine's thread computed in one turn of its event loop, ms; other load does not count. */
  readonly heldMs: number;
  /** The engine's highest memory, and that of the process that checks, together. */
  readonly peakMb: number;
  /** Whether there was such a process. */
  readonly isApart: boolean;
}

const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url));

const PROGRAM = `
  import { readFileSync } from "node:fs";
  import { monitorEventLoopDelay } from "node:perf_hooks";
  import { openCatalogDirectory } from ${here("../../../src/adapters/catalog/catalog-directory.ts")};
  import { listChildren, measureUse } from ${here("../../../sandbox/process/use.ts")};

  const isChecker = (pid) => {
    try {
      return readFileSync("/proc/" + pid + "/cmdline", "latin1").includes("catalog-check");
    } catch {
      return false;
    }
  };
  let checkerMb = 0;
  setInterval(() => {
    for (const { peakMb } of listChildren(process.pid).filter(isChecker).flatMap((pid) => measureUse([pid]) ?? []))
      checkerMb = Math.max(checkerMb, peakMb);
  }, 10).unref();
  const delays = monitorEventLoopDelay({ resolution: 5 });
  await new Promise((resolve) => setTimeout(resolve, 50));

  delays.enable();
  let heldMs = 0;
  let isOpen = false;
  let last = process.threadCpuUsage();
  const takeTurn = () => {
    const now = process.threadCpuUsage();
    heldMs = Math.max(heldMs, (now.user + now.system - last.user - last.system) / 1000);
    last = now;
    if (!isOpen) setImmediate(takeTurn);
  };
  takeTurn();
  const catalog = await openCatalogDirectory(process.argv[1]);
  isOpen = true;
  delays.disable();

  const codes = Object.fromEntries(catalog.entries().map(({ appId, dictionary, problems }) =>
    [appId, [dictionary === null ? "refused" : "usable", ...new Set(problems.map(({ code }) => code))]]));
  const peakMb = process.resourceUsage().maxRSS / 1024 + checkerMb;
  process.stdout.write(JSON.stringify({ codes, delayMs: delays.max / 1e6, heldMs, peakMb, isApart: checkerMb > 0 }));`;

/** Opens the catalog at `root`. */
export function openAlone(root: string): Measured {
  const args = ["--input-type=module", "--eval", PROGRAM, root];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", timeout: WITHIN_MS }));
}
