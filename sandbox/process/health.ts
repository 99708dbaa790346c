/** The isolation a live child really has: read from /proc and from what the child saw before any script. */

import { readFileSync, readlinkSync } from "node:fs";
import { readMessage } from "../../src/core/json/read-message.ts";
import type { SandboxHealth, SandboxLayer } from "../contract.ts";
import { CHILD_LIMITS } from "../limits.ts";
import type { ChildMessage } from "../protocol/child-messages.ts";
import type { Isolation } from "./isolation.ts";
import { GROUP_PREFIX } from "./memory-group.ts";

const KB = 1024;

/** A child's word on its own isolation before any script. */
export type ReadyMessage = ChildMessage & { readonly t: "ready" };

/**
 * Reads the layers of a ready child; what is missing of the mandatory ones stands first. Its own user and the empty
 * network are mandatory unless `allowWeak`.
 */
export function readHealth(pid: number, ready: ReadyMessage, isolation: Isolation, allowWeak: boolean): SandboxHealth {
  const limits = readProc(pid, "limits");
  const status = readProc(pid, "status");
  const layers: SandboxLayer[] = [
    createLayer(
      "jitless",
      true,
      !ready.webAssembly,
      ready.webAssembly ? "WebAssembly is there" : "no JIT, no WebAssembly",
    ),
    createLayer(
      "permission model",
      true,
      ready.permission,
      ready.permission ? "no files, no processes" : "not in force",
    ),
    createLayer("isolated-vm", true, isSafeVersion(ready.isolatedVm), ready.isolatedVm),
    ...LIMITS.map((row) => readLimitLayer(row, limits)),
    readProcessesLayer(limits, isolation),
    readUserLayer(status, !allowWeak),
    readNetworkLayer(pid, !allowWeak),
    readPrivilegesLayer(status),
    readDeathLayer(isolation),
    readNamespaceLayer("own memory segments and queues", "ipc", pid),
    readNamespaceLayer("own processes", "pid", pid),
    readRootLayer(pid),
    readMemoryLayer(pid),
  ];
  return report(layers);
}

/** The isolation of a live process of the bundler as one layer; its own user and the empty network are mandatory as a child's. */
export function readBundlerLayer(pid: number, allowWeak: boolean): SandboxLayer {
  const mandatory = [readUserLayer(readProc(pid, "status"), true), readNetworkLayer(pid, true)];
  const others = [
    readPrivilegesLayer(readProc(pid, "status")),
    readNamespaceLayer("own processes", "pid", pid),
    readRootLayer(pid),
  ];
  const name = (layers: readonly SandboxLayer[], isThere: boolean) =>
    layers.flatMap(({ active, name }) => (active === isThere ? name : [])).join(", ");
  const active = mandatory.every((each) => each.active);
  const there = name([...mandatory, ...others], true);
  return createLayer("bundler", !allowWeak, active, active ? there : `without ${name(mandatory, false)}`);
}

/** Reports the bundler missing, since none of its processes starts. */
export function reportNoBundler(error: unknown): SandboxLayer {
  return createLayer("bundler", true, false, readMessage(error));
}

/** A report with one more layer. */
export function addLayer(health: SandboxHealth, added: SandboxLayer): SandboxHealth {
  return report([...health.layers, added]);
}

/** Reports the layers, mandatory ones that are missing first. */
function report(layers: readonly SandboxLayer[]): SandboxHealth {
  const missing = layers.filter(({ mandatory, active }) => mandatory && !active);
  return { usable: missing.length === 0, layers: [...new Set([...missing, ...layers])] };
}

/** The missing mandatory layers in words; empty where none is missing. */
export function describeMissingLayers({ layers }: SandboxHealth): string {
  return layers
    .filter(({ mandatory, active }) => mandatory && !active)
    .map(({ name, detail }) => `${name} (${detail})`)
    .join(", ");
}

/** Reports every layer missing, since not even the plainest child starts. */
export function reportNoChild(error: unknown): SandboxHealth {
  const detail = readMessage(error);
  return { usable: false, layers: [createLayer("child process", true, false, detail)] };
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

function readLimitLayer({ name, label, mandatory, want, unit }: LimitRow, limits: string): SandboxLayer {
  const hard = readHardLimit(limits, label);
  const detail = hard === null ? "not set" : `${name} ${hard} ${unit}`;
  return createLayer(name, mandatory, hard !== null && hard <= want, detail);
}

/** RLIMIT_NPROC counts every process of a user, so it is set only for a user of the child's own. */
function readProcessesLayer(limits: string, isolation: Isolation): SandboxLayer {
  const hard = isolation.user === "own" ? readHardLimit(limits, "Max processes") : null;
  const active = hard !== null && hard <= CHILD_LIMITS.processes;
  return createLayer(
    "RLIMIT_NPROC",
    false,
    active,
    active ? `RLIMIT_NPROC ${hard} threads` : "needs a user of its own",
  );
}

function readUserLayer(status: string, mandatory: boolean): SandboxLayer {
  const uid = /^Uid:\t(\d+)/m.exec(status)?.[1];
  if (uid === undefined) return createLayer("own user", mandatory, false, "the kernel does not tell");
  const own = Number(uid) !== process.getuid?.();
  return createLayer("own user", mandatory, own, own ? `uid ${uid}` : `uid ${uid}, the engine's own`);
}

function readNetworkLayer(pid: number, mandatory: boolean): SandboxLayer {
  const own = isApart(pid, "net");
  return createLayer("empty network", mandatory, own, own ? "a namespace without interfaces" : "the host's network");
}

function readPrivilegesLayer(status: string): SandboxLayer {
  const active = /^NoNewPrivs:\t1/m.test(status);
  return createLayer("no new privileges", false, active, active ? "NoNewPrivs 1" : "not set");
}

/** Not to be read from /proc: setpriv has succeeded, or no child would be ready. */
function readDeathLayer({ privileges }: Isolation): SandboxLayer {
  const active = privileges === "dropped";
  return createLayer(
    "ends with the engine",
    false,
    active,
    active ? "at once" : `after at most ${CHILD_LIMITS.cpuS} s of CPU`,
  );
}

function readNamespaceLayer(name: string, kind: "ipc" | "pid", pid: number): SandboxLayer {
  const own = isApart(pid, kind);
  return createLayer(name, false, own, own ? "a namespace that ends with it" : "the host's");
}

/** The kernel shows where the root lies; below another root it also gives no user namespace. */
function readRootLayer(pid: number): SandboxLayer {
  const theirs = readLink(pid, "root");
  const own = isApart(pid, "mnt") && theirs !== null && theirs !== readLink("self", "root");
  return createLayer("private root", false, own, own ? "its own files only, read-only" : "the host's files");
}

function readMemoryLayer(pid: number): SandboxLayer {
  const own = readProc(pid, "cgroup").includes(`/${GROUP_PREFIX}`);
  const detail = own ? `${CHILD_LIMITS.memoryMb} MB, held by the kernel` : "watched by the engine only";
  return createLayer("memory group", false, own, detail);
}

/** Whether a namespace is another than the engine's; one that can't be read is taken as not shown to be. */
function isApart(pid: number, kind: "net" | "ipc" | "pid" | "mnt"): boolean {
  const theirs = readLink(pid, `ns/${kind}`);
  return theirs !== null && theirs !== readLink("self", `ns/${kind}`);
}

function readLink(pid: number | "self", name: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return null;
  }
}

function readHardLimit(limits: string, label: string): number | null {
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

function createLayer(name: string, mandatory: boolean, active: boolean, detail: string): SandboxLayer {
  return { name, mandatory, active, detail };
}
