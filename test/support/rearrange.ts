/** Somebody who rearranges folders while they are looked at, in a process of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Swaps a folder with a link to another, again and again, until it is killed. */
export function swap(path: string, to: string): Promise<ChildProcess> {
  const round = `
    renameSync(path, path + ".real");
    symlinkSync(to, path);
    rmSync(path, { force: true });
    renameSync(path + ".real", path);`;
  return again(round, path, to);
}

/** Does something to `path` again and again, until it is killed; resolves once that has begun. */
export async function again(round: string, path: string, to = ""): Promise<ChildProcess> {
  const program = `
    const { renameSync, symlinkSync, rmSync, writeFileSync } = require("node:fs");
    const [path, to] = process.argv.slice(1);
    for (let round = 0; ; round += 1) {
      ${round}
      if (round === 10) process.stdout.write("begun");
    }`;
  const child = spawn(process.execPath, ["-e", program, path, to], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  return child;
}
