/**
 * Completes package-lock.json after `npm install`: npm leaves out optional packages of other platforms that it could
 * not resolve, and `npm ci` then refuses the file ("Missing: @biomejs/cli-android-arm64@ from lock file").
 */
import { readFileSync, writeFileSync } from "node:fs";

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const PLATFORM = /(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)/;
const file = new URL("../package-lock.json", import.meta.url);
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, "utf8"));

for (const [at, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (!/^\d/.test(version) || lock.packages[key] || lock.packages[`${at}/${key}`]) continue;
    const [, os, cpu] = PLATFORM.exec(name) ?? [];
    if (os === undefined || cpu === undefined) continue;
    lock.packages[key] = {
      version,
      cpu: [cpu],
      ...(parent.dev && { dev: true }),
      ...(name.includes("musl") && { libc: ["musl"] }),
      optional: true,
      os: [os],
    };
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
