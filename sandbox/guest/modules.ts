/** The modules a script may import beside its own files (`VIRTUAL_MODULES`), as CommonJS exports. */
import type { VirtualModule } from "../ops.ts";
import { buffer } from "./modules/buffer.ts";
import { crypto } from "./modules/crypto.ts";
import { fs, promises } from "./modules/fs.ts";
import * as path from "./modules/path.ts";
import { sqlite } from "./modules/sqlite.ts";

const MODULES: { readonly [Name in VirtualModule]: object } = {
  "node:buffer": buffer,
  "node:fs": fs,
  "node:fs/promises": promises,
  "node:path": { ...path },
  "node:crypto": crypto,
  "bun:sqlite": sqlite,
};

/** One module by name; the bundler lets no other name through. */
export function loadModule(name: VirtualModule): object {
  return MODULES[name];
}
