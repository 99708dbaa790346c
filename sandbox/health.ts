/** Which walls a live child really has: read from /proc and from what the child saw before any script. */
import { readFileSync, readlinkSync } from "node:fs";
import type { ChildMessage } from "./child-messages.ts";
import type { SandboxHealth, SandboxLayer } from "./contract.ts";
import { CHILD_LIMITS } from "./limits.ts";
import type { Walls } from "./process/walls.ts";

const KB = 1024;

/** What a child says of its own walls before any script. */
export type ReadyMessage = ChildMessage & { readonly t: "ready" };

/** Reads the layers of a ready child. */
export function readHealth(pid: number, ready: ReadyMessage, walls: Walls): SandboxHealth {
  const limits = readProc(pid, "limits");
  const status = readProc(pid, "status");
  const layers: SandboxLayer[] = [
    layer("jitless", true, !ready.webAssembly, ready.webAssembly ? "WebAssembly is there" : "no JIT, no WebAssembly"),
    layer("permission model", true, ready.permission, ready.permission ? "no files, no processes" : "not in force"),
    layer("isolated-vm", true, isSafeVersion(ready.isolatedVm), ready.isolatedVm),
    ...LIMITS.map((row) => limitLayer(row, limits)),
    processesLayer(limits, walls),
    userLayer(status),
    networkLayer(pid),
    privilegesLayer(status),
    deathLayer(walls),
  ];
  return { usable: layers.every(({ mandatory, active }) => active || !mandatory), layers };
}

/** What is reported when not even the plainest child starts. */
export function noChild(error: unknown): SandboxHealth {
  const detail = error instanceof Error ? error.message : String(error);
  return { usable: false, layers: [layer("child process", true, false, detail)] };
}

interface LimitRow {
  readonly name: string;
  /** As /proc/PID/limits names it. */
  readonly label: string;
  readonly mandatory: boolean;
  readonly want: number;
  readonly unit: string;
}

const LIMITS: readonly LimitRow[] = [
  { name: "RLIMIT_DATA", label: "Max data size", mandatory: true, want: CHILD_LIMITS.dataKb * KB, unit: "bytes" },
  { name: "RLIMIT_CPU", label: "Max cpu time", mandatory: true, want: CHILD_LIMITS.cpuS, unit: "s" },
  { name: "RLIMIT_CORE", label: "Max core file size", mandatory: false, want: 0, unit: "bytes" },
  { name: "RLIMIT_FSIZE", label: "Max file size", mandatory: false, want: 0, unit: "bytes" },
  { name: "RLIMIT_NOFILE", label: "Max open files", mandatory: false, want: CHILD_LIMITS.files, unit: "files" },
];

function limitLayer({ name, label, mandatory, want, unit }: LimitRow, limits: string): SandboxLayer {
  const hard = hardLimit(limits, label);
  const detail = hard === null ? "not set" : `${name} ${hard} ${unit}`;
  return layer(name, mandatory, hard !== null && hard <= want, detail);
}

/** RLIMIT_NPROC counts every process of a user, so it is set only for a user of the child's own. */
function processesLayer(limits: string, walls: Walls): SandboxLayer {
  const hard = walls.user === "own" ? hardLimit(limits, "Max processes") : null;
  const active = hard !== null && hard <= CHILD_LIMITS.processes;
  return layer("RLIMIT_NPROC", false, active, active ? `RLIMIT_NPROC ${hard} threads` : "needs a user of its own");
}

function userLayer(status: string): SandboxLayer {
  const uid = /^Uid:\t(\d+)/m.exec(status)?.[1] ?? "unknown";
  const own = Number(uid) !== process.getuid?.();
  return layer("own user", false, own, own ? `uid ${uid}` : `uid ${uid}, the engine's own`);
}

function networkLayer(pid: number): SandboxLayer {
  const own = namespaceOf(pid) !== namespaceOf("self");
  return layer("empty network", false, own, own ? "a namespace without interfaces" : "the host's network");
}

function privilegesLayer(status: string): SandboxLayer {
  const active = /^NoNewPrivs:\t1/m.test(status);
  return layer("no new privileges", false, active, active ? "NoNewPrivs 1" : "not set");
}

/** Not to be read from /proc: setpriv has succeeded, or no child would be ready. */
function deathLayer({ privileges }: Walls): SandboxLayer {
  const active = privileges === "dropped";
  return layer(
    "ends with the engine",
    false,
    active,
    active ? "at once" : `after at most ${CHILD_LIMITS.cpuS} s of CPU`,
  );
}

function namespaceOf(pid: number | "self"): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // another user's, unreadable without privileges: taken as not shown to be separate
    return namespaceOf("self");
  }
}

function hardLimit(limits: string, label: string): number | null {
  const row = limits.split("\n").find((line) => line.startsWith(label));
  const hard = row?.slice(label.length).trim().split(/\s+/)[1];
  return hard === undefined || hard === "unlimited" ? null : Number(hard);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** GHSA-864f-rcv7-6rh4 (an escape) is fixed in 7.0.1. */
function isSafeVersion(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major > 7 || (major === 7 && (minor > 0 || patch >= 1));
}

function layer(name: string, mandatory: boolean, active: boolean, detail: string): SandboxLayer {
  return { name, mandatory, active, detail };
}
