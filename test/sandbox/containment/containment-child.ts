/** Fake children: programs of a fully compromised child, speaking (or breaking) the pipe's protocol by themselves. */
import { chmod, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChildProgram } from "../../../sandbox/child/child-program.ts";

/** Frames, and readiness as an honest child reports it; `onDelivery` is the program's own part. */
const PRELUDE = `
import fs from "node:fs";
import { spawn } from "node:child_process";
const frame = (header, body = Buffer.alloc(0)) => {
  const h = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(4 + h.length + body.length, 0);
  prefix.writeUInt32LE(h.length, 4);
  return Buffer.concat([prefix, h, body]);
};
const raw = (bytes) => { for (let n = 0; n < bytes.length; ) n += fs.writeSync(3, bytes, n); };
const send = (header, body) => raw(frame(header, body));
const out = (op) => send({ t: "out", header: JSON.stringify(op) });
const done = (result) => out({ op: "done", outcome: { status: "completed", result } });
const forever = () => setInterval(() => {}, 1000);
const ready = (more) => send({ t: "ready", webAssembly: false, permission: true, isolatedVm: "7.0.1", ...more });
`;

/** A program that is ready and does `onDelivery` when its first delivery comes. */
export function hostile(onDelivery: string): string {
  return `${PRELUDE}
ready();
fs.read(3, Buffer.alloc(65536), 0, 65536, null, async () => { ${onDelivery} });
forever();`;
}

/** A program that does `start` at once instead of getting ready. */
export function unready(start: string): string {
  return `${PRELUDE}\n${start}`;
}

/** Writes a program to a folder of its own; it runs in the real isolation, with `flags` opened for it. */
export async function writeProgram(
  text: string,
  flags: readonly string[] = [],
): Promise<{ program: ChildProgram; remove: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-hostile-")));
  const path = join(folder, "child.mjs");
  await writeFile(path, text);
  await chmod(folder, 0o755);
  return {
    program: { path, addon: path, execPath: process.execPath, flags },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
