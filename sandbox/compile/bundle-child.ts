/** Makes the child's one file: child.ts with the guest inside, bundled at start into a private folder. */
import { existsSync } from "node:fs";
import { chmod, chown, copyFile, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHILD_GID, type ChildFiles, type ChildProgram } from "../child/child-program.ts";
import { PrivateFiles } from "../process/private-files.ts";
import { isRootThere, makePrivateRoot } from "../process/private-root.ts";
import { GUEST_BUNDLE } from "../protocol/ops.ts";
import { bundleOwnProgram, loadOwnProgram } from "./bundle-service.ts";

/** Source of this folder: `.ts` in a checkout, `.js` in dist. */
const HERE = dirname(fileURLToPath(import.meta.url));
const SUFFIX = extname(fileURLToPath(import.meta.url));

/** The files children start from; `given` stands for the bundle in tests. */
export function createChildFiles(given?: ChildProgram): PrivateFiles<ChildFiles> {
  return new PrivateFiles({
    kind: "sandbox",
    isThere: ({ program, root }) =>
      existsSync(program.path) && existsSync(program.addon) && (root === null || isRootThere(root)),
    make: async (folder) => {
      const program = given ?? (await makeProgram(folder));
      const { path, addon, execPath } = program;
      const programs = path === addon ? [execPath] : [execPath, addon];
      return { program, root: await makePrivateRoot(folder, { programs, read: [path] }) };
    },
  });
}

async function makeProgram(folder: string): Promise<ChildProgram> {
  const path = join(folder, "child.mjs");
  const addon = join(folder, "isolated-vm.node");
  const native = findAddon();
  await Promise.all([writeProgram(path), copyFile(native, addon).then(() => chmod(addon, 0o550))]);
  if (process.getuid?.() === 0) await shareWithChildren(folder, [path, addon]);
  return { path, addon, execPath: process.execPath, flags: [] };
}

async function writeProgram(path: string): Promise<void> {
  const [version, text] = await Promise.all([readIsolatedVmVersion(), readBundle()]);
  // of the addon that is there now, which a package built earlier can't know
  await writeFile(path, `const ISOLATED_VM_VERSION = ${JSON.stringify(version)};\n${text}`, { mode: 0o440 });
}

/** Lets the children's own group read what only root owns: nobody else reads it, and no child can change it. */
async function shareWithChildren(folder: string, files: readonly string[]): Promise<void> {
  await Promise.all([folder, ...files].map((path) => chown(path, 0, CHILD_GID)));
  await chmod(folder, 0o750);
}

/** The child's program as text, with the guest inside; `ISOLATED_VM_VERSION` is still to be declared before it. */
export function readBundle(): Promise<string> {
  return loadOwnProgram(join(HERE, "../child", `child${SUFFIX}`), async () => ({
    format: "esm",
    define: { GUEST_CODE: JSON.stringify(await bundleGuest()) },
  }));
}

function bundleGuest(): Promise<string> {
  return bundleOwnProgram(join(HERE, "../guest", `prelude${SUFFIX}`), {
    ...GUEST_BUNDLE,
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "esnext",
    minifyWhitespace: true,
    legalComments: "none",
  });
}

/** isolated-vm's prebuilt native file; its own loader fails under the permission model. */
function findAddon(): string {
  const require = createRequire(import.meta.url);
  const find: { path(folder: string): string } = require("node-gyp-build");
  return find.path(dirname(require.resolve("isolated-vm/package.json")));
}

async function readIsolatedVmVersion(): Promise<string> {
  const file = createRequire(import.meta.url).resolve("isolated-vm/package.json");
  const { version }: { version: string } = JSON.parse(await readFile(file, "utf8"));
  return version;
}
