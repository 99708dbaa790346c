/** The modules a script may import beside its own files (`VIRTUAL_MODULES`), as CommonJS exports. */
import type { VirtualModule } from "../protocol/ops.ts";
import { buffer } from "./modules/buffer.ts";
import { crypto } from "./modules/crypto.ts";
import { fs, promises } from "./modules/fs.ts";
import * as path from "./modules/path.ts";
import { sqlite } from "./modules/sqlite.ts";

const MODULES: { readonly [Name in VirtualModule]: object } = {
  "node:buffer": toModule(buffer),
  "node:fs": toModule(fs),
  "node:fs/promises": toModule(promises),
  "node:path": toModule({ ...path }),
  "node:crypto": toModule(crypto),
  "bun:sqlite": toModule(sqlite),
};

/** Named exports, and the whole as default unless there is one; `__esModule` tells the bundler so. */
function toModule(exports: object): object {
  return Object.defineProperty({ default: exports, ...exports }, "__esModule", { value: true });
}

/** One module by name; the bundler lets no other name through. */
export function loadModule(name: VirtualModule): object {
  return MODULES[name];
}
