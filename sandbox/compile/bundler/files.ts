/** The files the bundler's process is made of: its program in a private folder, Node, and esbuild's native file. */
import { existsSync, rmSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PrivateRoot } from "../../process/command.ts";
import { makePrivateFolder, removeFolder } from "../../process/private-folder.ts";
import { isRootThere, makePrivateRoot } from "../../process/private-root.ts";
import { loadOwnProgram } from "../bundle-service.ts";

/** What the process is started from. */
export interface BundlerProgram {
  /** The program's one file. */
  readonly path: string;
  /** Flags of Node beyond the hardening; empty but in tests of a compromised process. */
  readonly flags: readonly string[];
}

/** A program and the root it runs in. */
export interface BundlerFiles {
  readonly program: BundlerProgram;
  /** esbuild's native file. */
  readonly esbuild: string;
  /** Null where there can be none. */
  readonly root: PrivateRoot | null;
}

/** Source of this folder: `.ts` in a checkout, `.js` in dist. */
const HERE = dirname(fileURLToPath(import.meta.url));
const SUFFIX = extname(fileURLToPath(import.meta.url));

/** The files, made when first needed, and again where a cleaner of temporary folders has taken them. */
export class BundlerHome {
  readonly #given: BundlerProgram | null;
  #made: Promise<Made> | null = null;

  /** `given` replaces the program: tests of a compromised process. */
  constructor(given: BundlerProgram | null) {
    this.#given = given;
  }

  /** The files, which are there; rejects where they can't be made. */
  async files(): Promise<BundlerFiles> {
    const made = this.#made;
    if (made !== null) {
      const { files, remove } = await made;
      if (isThere(files)) return files;
      if (this.#made === made) this.#made = null;
      await remove();
    }
    this.#made ??= this.#make();
    return (await this.#made).files;
  }

  /** Removes the files. */
  async remove(): Promise<void> {
    const made = await this.#made?.catch(() => null);
    this.#made = null;
    await made?.remove();
  }

  /** One that fails is not kept: the next script tries again. */
  #make(): Promise<Made> {
    const made = makeFiles(this.#given);
    made.catch(() => {
      if (this.#made === made) this.#made = null;
    });
    return made;
  }
}

interface Made {
  readonly files: BundlerFiles;
  remove(): Promise<void>;
}

function isThere({ program, root }: BundlerFiles): boolean {
  return existsSync(program.path) && (root === null || isRootThere(root));
}

async function makeFiles(given: BundlerProgram | null): Promise<Made> {
  const folder = await makePrivateFolder("bundler");
  // an engine that ends without closing leaves no folder behind
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeAtExit);
  const remove = async () => {
    process.off("exit", removeAtExit);
    await removeFolder(folder);
  };
  try {
    const esbuild = findEsbuild();
    const program = given ?? { path: join(folder, "bundler.cjs"), flags: [] };
    if (given === null) await writeFile(program.path, await bundleOnce(), { mode: 0o444 });
    // the process has another user; nothing here is a secret
    await chmod(folder, 0o755);
    const root = await makePrivateRoot(folder, { programs: [process.execPath, esbuild], read: [program.path] });
    return { files: { program, esbuild, root }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

let programText: Promise<string> | null = null;

/** Bundled once by an engine, however many sandboxes it has. */
function bundleOnce(): Promise<string> {
  const made = programText ?? bundleProgram();
  programText = made;
  made.catch(() => {
    if (programText === made) programText = null;
  });
  return made;
}

/** The bundler's program as text. */
export function bundleProgram(): Promise<string> {
  return loadOwnProgram(join(HERE, `program${SUFFIX}`), () => ({
    // jsonc-parser's "main" is what no bundler follows
    mainFields: ["module", "main"],
    // esbuild's own library is CommonJS
    format: "cjs",
    // read by that library as it loads; GOTRACEBACK keeps the last words of a process that dies short
    banner: { js: 'process.env.ESBUILD_BINARY_PATH = process.argv[2]; process.env.GOTRACEBACK = "none";' },
  }));
}

/** esbuild's native file of this machine, as its own library finds it. */
function findEsbuild(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("esbuild"));
  return require.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
}
