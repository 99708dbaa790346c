/** The modules a script may import beside its own files (`VIRTUAL_MODULES`), as CommonJS exports. */
import type { VirtualModule } from "../protocol/ops.ts";
import { buffer } from "./modules/buffer.ts";
import { crypto } from "./modules/crypto.ts";
import { fs, promises } from "./modules/fs.ts";
import * as path from "./modules/path.ts";
import { sqlite } from "./modules/sqlite.ts";

const MODULES: { readonly [Name in VirtualModule]: object } = {
  "node:buffer": asModule(buffer),
  "node:fs": asModule(fs),
  "node:fs/promises": asModule(promises),
  "node:path": asModule({ ...path }),
  "node:crypto": asModule(crypto),
  "bun:sqlite": asModule(sqlite),
};

/** Named exports, and the whole as default unless there is one; `__esModule` tells the bundler so. */
function asModule(exports: object): object {
  return Object.defineProperty({ default: exports, ...exports }, "__esModule", { value: true });
}

/** One module by name; the bundler lets no other name through. */
export function loadModule(name: VirtualModule): object {
  return MODULES[name];
}
