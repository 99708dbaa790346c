import type { CodeText } from "./row.ts";

/** Codes of compiling and running hook and widget scripts. */
export const SANDBOX_CODES = {
  SANDBOX_UNAVAILABLE: {
    audience: "host",
    title: "A mandatory layer of the sandbox is missing on this machine",
    hint: "run the engine as root with CAP_SYS_ADMIN, or allow scripts in a weak sandbox (allowWeakSandbox, --allow-weak-sandbox); `slipway health` shows every layer",
  },
  SANDBOX_SYNTAX: {
    title: "A script is not valid TypeScript",
    hint: "correct the syntax at the given place",
    bad: "export async function run(ctx { }",
    good: "export async function run(ctx) { }",
  },
  SANDBOX_IMPORT_FORBIDDEN: {
    title: "A script imports what is not offered to scripts",
    hint: "import relative .ts, .js, .json or .jsonc files of the catalog, node:buffer, node:fs, node:fs/promises, node:path, node:crypto or bun:sqlite",
    bad: 'import { exec } from "node:child_process";',
    good: 'import { readFileSync } from "node:fs";',
  },
  SANDBOX_IMPORT_NOT_LITERAL: {
    title: "A script imports a module whose name is known only as it runs",
    hint: "name the module by a plain string, and choose between modules by if or switch",
    bad: 'const lib = await import("./lib/" + name);',
    good: 'const lib = await import("./lib/list.ts");',
  },
  SANDBOX_FILE_MISSING: {
    title: "A script file or an import of it does not exist in the catalog",
    hint: "name an existing file, relative to the file that imports it",
  },
  SANDBOX_FILE_OUTSIDE: {
    title: "A script file lies outside of the catalog, by its path or by a symbolic link",
    hint: "move the file below the catalog's root",
  },
  SANDBOX_SCRIPT_TOO_LARGE: {
    title: "A script has too many or too large files",
    hint: "keep a file under 512 KB, a script under 64 files, 4 MB of text and 2 MB bundled",
  },
  SANDBOX_NOT_BUNDLED: {
    title: "The bundler can't work on a script or its catalog",
    hint: "nest expressions less deeply, make the script smaller, and see that the catalog's folder can be read",
  },
  SANDBOX_ENTRYPOINT_MISSING: {
    title: "A script does not export the function named by its entrypoint",
    hint: "export the function under the name given in entrypoint",
    bad: '{ "entrypoint": "run", "scriptContent": "export async function start() {}" }',
    good: '{ "entrypoint": "run", "scriptContent": "export async function run() {}" }',
  },
} as const satisfies Record<string, CodeText>;
