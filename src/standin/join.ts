import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { extname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { EngineError } from "../core/codes/problems.ts";
import { askClaim } from "./claim.ts";
import { readReady, type StandinAddress } from "./ready.ts";
import { makeStateDirectory, refuseBroughtDirectory } from "./state-directory.ts";

/** Which stand-in to join, and how to start it where none runs. */
interface JoinOptions {
  /** State directory of the stand-in; made when absent. */
  readonly dir: string;
  readonly catalog: string;
  /** Folder of `<app>.json` tables: what its apps answer over HTTP from its start on. */
  readonly answers?: string;
  /** Divides every duration of the lifecycle. */
  readonly speed?: number;
  /** Seconds without a client and without a running job after which it ends (30). */
  readonly idleExitS?: number;
  /** Ms after which it is given up (20,000). */
  readonly readyWithinMs?: number;
}

const READY_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 40;
const LOG = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * Joins the stand-in that runs on a directory, or starts one as a process of its own: it goes on when this process is
 * killed, as a host does, and ends when idle. Throws `HOST_STANDIN_FAILED` when none gets ready, `STORE_IN_CATALOG`, and as
 * `makeStateDirectory`.
 */
export async function joinStandin(options: JoinOptions): Promise<StandinAddress> {
  refuseBroughtDirectory(options.dir, [options.catalog]);
  const dir = makeStateDirectory(options.dir);
  const deadline = performance.now() + (options.readyWithinMs ?? READY_WITHIN_MS);
  let child: ChildProcess | undefined;
  while (performance.now() < deadline) {
    const claim = await askClaim(dir);
    const address = claim === "running" ? readReady(dir) : undefined;
    if (address !== undefined) return address;
    // One that was just ending may have refused ours: then ours has exited, and the next attempt finds room.
    if (claim === "free" && (child === undefined || child.exitCode !== null)) child = spawnStandin({ ...options, dir });
    await delay(LOOK_EVERY_MS);
  }
  const log = join(dir, "standin.log");
  throw new EngineError("HOST_STANDIN_FAILED", `the stand-in on "${dir}" did not get ready, see "${log}"`);
}

function spawnStandin({ dir, catalog, answers, speed, idleExitS }: JoinOptions): ChildProcess {
  const command = fileURLToPath(new URL(`../cli/bin${extname(import.meta.url)}`, import.meta.url));
  const log = openSync(join(dir, "standin.log"), LOG, 0o600);
  const args = [command, "standin", "--dir", dir, "--catalog", catalog, "--idle-exit", String(idleExitS ?? 30)];
  if (answers !== undefined) args.push("--answers", answers);
  if (speed !== undefined) args.push("--speed", String(speed));
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", "ignore", log] });
  child.unref();
  closeSync(log);
  return child;
}
