/** A catalog with hostile scripts, a file beside it that none may reach, and a sandbox that compiles them. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BundlerProgram } from "../../../sandbox/compile/bundler/files.ts";
import type { CompileResult, ScriptIo } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import type { Problem } from "../../../src/core/codes/problems.ts";

/** Stands in the file outside of the catalog, and nowhere else. */
export const MARKER = "marker-of-what-no-script-may-read";

const NO_OUTSIDE: ScriptIo = {
  open: () => {
    throw new Error("nothing runs here");
  },
};

export interface HostileCatalog {
  readonly root: string;
  /** Beside the catalog's root, readable for all; as an import may name it from `app/hook.ts`. */
  readonly outside: { readonly path: string; readonly specifier: string };
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Compiles `app/hook.ts`, from this text where it is given. */
  compile(text?: string): Promise<CompileResult>;
  close(): Promise<void>;
}

export async function openHostileCatalog(bundler?: BundlerProgram): Promise<HostileCatalog> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-bundler-")));
  const root = join(folder, "catalog");
  const path = join(folder, "secret.txt");
  await mkdir(join(root, "app"), { recursive: true });
  await writeFile(path, `${MARKER}\n`);
  const sandbox = createSandbox({ scriptIo: NO_OUTSIDE, ...(bundler !== undefined && { bundler }) });
  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
  };
  return {
    root,
    outside: { path, specifier: "../../secret.txt" },
    write,
    compile: async (text) => {
      if (text !== undefined) await write({ "app/hook.ts": text });
      const source = { kind: "file", path: "app/hook.ts" } as const;
      return sandbox.compile({ app: "app", root, source, entrypoint: "run", label: "app/hook.ts" });
    },
    close: async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first problem of a script that does not compile. */
export function problemOf(result: CompileResult): Problem {
  const [first] = result.ok ? [] : result.problems;
  if (first === undefined) throw new Error(`the script compiled:\n${result.ok ? result.script.code : ""}`);
  return first;
}
