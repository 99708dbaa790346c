/** The files the bundler's process is made of: its program in a private folder, Node, and esbuild's native file. */
import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PrivateRoot } from "../../process/command.ts";
import { PrivateFiles } from "../../process/private-files.ts";
import { isRootThere, makePrivateRoot } from "../../process/private-root.ts";
import { loadOwnProgram } from "../bundle-service.ts";

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

/** The files bundlers start from; `given` replaces the program: tests of a compromised process. */
export function createBundlerFiles(given?: BundlerProgram): PrivateFiles<BundlerFiles> {
  return new PrivateFiles({
    kind: "bundler",
    isThere: ({ program, root }) => existsSync(program.path) && (root === null || isRootThere(root)),
    make: async (folder) => {
      const esbuild = findEsbuild();
      const program = given ?? { path: join(folder, "bundler.cjs"), flags: [] };
      if (given === undefined) await writeFile(program.path, await bundleOnce(), { mode: 0o444 });
      // the process has another user; nothing here is a secret
      await chmod(folder, 0o755);
      const root = await makePrivateRoot(folder, { programs: [process.execPath, esbuild], read: [program.path] });
      return { program, esbuild, root };
    },
  });
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
