/** What the workbench runs: a function of a file, or a declared widget. */
import { realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { ScriptSource } from "../../core/script/dictionary.ts";
import { type DeclaredWidget, readDeclaredWidget } from "../options/declared-widget.ts";

/** Options that name what is run. */
export interface SubjectOptions {
  readonly entrypoint?: string;
  /** `SCRIPT.json#ID`. */
  readonly widget?: string;
  /** Seconds of running time; default: the widget's own, of a hook 300. */
  readonly timeout?: number;
  readonly catalog?: string;
}

/** A function of a file, run as a hook, or a declared widget. */
export interface Subject {
  readonly place: { readonly root: string; readonly label: string };
  readonly source: ScriptSource;
  readonly entrypoint: string;
  readonly timeout: number;
  /** A widget's declaration. */
  readonly declared?: DeclaredWidget;
}

/** Reads what the options name. Throws `CLI_USAGE`, `CLI_FILE_UNREADABLE`, and what a widget is refused for. */
export async function readSubject(script: string | undefined, options: SubjectOptions): Promise<Subject> {
  const { entrypoint, widget: name, timeout } = options;
  if (name !== undefined && script === undefined && entrypoint === undefined) {
    const declared = await readDeclaredWidget(name);
    const { source, entrypoint: start, timeout: own } = declared.widget;
    const root = options.catalog === undefined ? realpath(declared.folder) : realpath(options.catalog);
    const label = source.kind === "file" ? source.path : name;
    return { place: { root, label }, source, entrypoint: start, timeout: timeout ?? own, declared };
  }
  if (name !== undefined) throw new EngineError("CLI_USAGE", "--widget takes neither a script nor --entrypoint");
  if (script === undefined) throw new EngineError("CLI_USAGE", "a script is missing, or --widget");
  if (entrypoint === undefined) throw new EngineError("CLI_USAGE", "--entrypoint is missing");
  const { root, path } = findPlace(script, options.catalog);
  return { place: { root, label: path }, source: { kind: "file", path }, entrypoint, timeout: timeout ?? 300 };
}

/** Root and path of the script; `CLI_FILE_UNREADABLE` where one is not what it should be or the script is not below the root. */
function findPlace(script: string, catalog: string | undefined): { root: string; path: string } {
  const file = realpath(script);
  const root = catalog === undefined ? dirname(file) : realpath(catalog);
  if (!statSync(file).isFile()) throw createFileUnreadableError(script, "it is not a regular file");
  if (!statSync(root).isDirectory()) throw createFileUnreadableError(catalog ?? root, "it is not a directory");
  const path = relative(root, file);
  if (path !== ".." && !path.startsWith(`..${sep}`)) return { root, path };
  throw createFileUnreadableError(script, `it is not below the catalog "${catalog}"`);
}

function realpath(path: string): string {
  try {
    return realpathSync(resolve(path));
  } catch (error) {
    throw createFileUnreadableError(path, error);
  }
}
