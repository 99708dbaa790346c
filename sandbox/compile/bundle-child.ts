/** Makes the child's one file: child.ts with the guest inside, bundled at start into a private folder. */
import { existsSync, rmSync } from "node:fs";
import { chmod, chown, copyFile, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHILD_GID, type ChildFiles, type ChildProgram } from "../child/child-program.ts";
import { makePrivateFolder, removeFolder } from "../process/private-folder.ts";
import { isRootThere, makePrivateRoot } from "../process/private-root.ts";
import { GUEST_BUNDLE } from "../protocol/ops.ts";
import { bundleOwnProgram, loadOwnProgram } from "./bundle-service.ts";

/** Source of this folder: `.ts` in a checkout, `.js` in dist. */
const HERE = dirname(fileURLToPath(import.meta.url));
const SUFFIX = extname(fileURLToPath(import.meta.url));

/**
 * The child's files, made when first needed, and again where a cleaner of temporary folders has taken them; `given`
 * stands for the bundle in tests.
 */
export function createChildFiles(given?: ChildProgram): { files(): Promise<ChildFiles>; remove(): Promise<void> } {
  let bundled: Promise<Bundled> | null = null;
  /** One that fails is not kept: the next child tries again. */
  const bundle = (): Promise<Bundled> => {
    const made = given === undefined ? bundleChild() : prepare(async () => given);
    bundled = made;
    made.catch(() => {
      if (bundled === made) bundled = null;
    });
    return made;
  };
  return {
    files: async () => {
      const made = bundled ?? bundle();
      const { files, remove } = await made;
      if (areThere(files)) return files;
      if (bundled === made) {
        void bundle();
        await remove();
      }
      return (await (bundled ?? bundle())).files;
    },
    remove: async () => {
      const made = await bundled?.catch(() => null);
      await made?.remove();
    },
  };
}

function areThere({ program, root }: ChildFiles): boolean {
  return existsSync(program.path) && existsSync(program.addon) && (root === null || isRootThere(root));
}

interface Bundled {
  readonly files: ChildFiles;
  remove(): Promise<void>;
}

/** Makes the program in a new private folder, and the root it sees; `remove` deletes the folder. */
async function prepare(make: (folder: string) => Promise<ChildProgram>): Promise<Bundled> {
  const folder = await makePrivateFolder("sandbox");
  // an engine that ends without closing leaves no folder behind
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeAtExit);
  const remove = async () => {
    process.off("exit", removeAtExit);
    await removeFolder(folder);
  };
  try {
    const program = await make(folder);
    const { path, addon, execPath } = program;
    const programs = path === addon ? [execPath] : [execPath, addon];
    return { files: { program, root: await makePrivateRoot(folder, { programs, read: [path] }) }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function bundleChild(): Promise<Bundled> {
  return prepare(async (folder) => {
    const path = join(folder, "child.mjs");
    const addon = join(folder, "isolated-vm.node");
    const native = findAddon();
    await Promise.all([writeProgram(path), copyFile(native, addon).then(() => chmod(addon, 0o550))]);
    if (process.getuid?.() === 0) await shareWithChildren(folder, [path, addon]);
    return { path, addon, execPath: process.execPath, flags: [] };
  });
}

async function writeProgram(path: string): Promise<void> {
  const [version, text] = await Promise.all([isolatedVmVersion(), bundleText()]);
  // of the addon that is there now, which a package built earlier can't know
  await writeFile(path, `const ISOLATED_VM_VERSION = ${JSON.stringify(version)};\n${text}`, { mode: 0o440 });
}

/** Lets the children's own group read what only root owns: nobody else reads it, and no child can change it. */
async function shareWithChildren(folder: string, files: readonly string[]): Promise<void> {
  await Promise.all([folder, ...files].map((path) => chown(path, 0, CHILD_GID)));
  await chmod(folder, 0o750);
}

/** The child's program as text, with the guest inside; `ISOLATED_VM_VERSION` is still to be declared before it. */
export function bundleText(): Promise<string> {
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

async function isolatedVmVersion(): Promise<string> {
  const file = createRequire(import.meta.url).resolve("isolated-vm/package.json");
  const { version }: { version: string } = JSON.parse(await readFile(file, "utf8"));
  return version;
}
