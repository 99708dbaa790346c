/** Descriptors this process would hand to every program it starts: those it was itself started with. */
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/** Standard input, output and error, and the pipe to the parent. */
const OWN = 4;
const O_CLOEXEC = 0o2000000;

let inherited: readonly number[] | null = null;

/** Beyond the program's own; looked up once, as what Node opens later is closed on exec. */
function listInheritedDescriptors(): readonly number[] {
  inherited ??= readdirSync("/proc/self/fd").flatMap((name) => {
    const descriptor = Number(name);
    return descriptor >= OWN && isHandedOn(descriptor) ? descriptor : [];
  });
  return inherited;
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\t(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // the listing's own
    return false;
  }
}

/**
 * The stdio of a program with /dev/null in the place of every descriptor it would inherit. Call `close` when the program
 * has been spawned.
 */
export function coverInherited<T>(stdio: readonly T[]): { stdio: (T | number | "ignore")[]; close: () => void } {
  const last = Math.max(-1, ...listInheritedDescriptors());
  if (last < 0) return { stdio: [...stdio], close: () => {} };
  const nothing = openSync("/dev/null", "r");
  const covered = new Set(listInheritedDescriptors());
  const all = Array.from({ length: Math.max(stdio.length, last + 1) }, (_, descriptor): T | number | "ignore" => {
    return stdio[descriptor] ?? (covered.has(descriptor) ? nothing : "ignore");
  });
  return { stdio: all, close: () => closeSync(nothing) };
}
