/**
 * Compiles scripts: the bundler's process does the work (bundler/), the files are found and read here.
 *
 * Invariant: a bundle is made of what was served for it and of nothing else, as far as the bundler can be held to its
 * word: a name it was not given ends it.
 */

import { realpath } from "node:fs/promises";
import { readMessage } from "../../src/core/json/read-message.ts";
import type { CompileRequest, CompileResult, SandboxLayer } from "../contract.ts";
import { rereadFile } from "./bundle-files.ts";
import { Bundlers } from "./bundler/bundlers.ts";
import { type StarterOptions, WeakIsolationError } from "./bundler/starter.ts";
import { CATALOG, compileScript, createFailure, hashText } from "./compile-script.ts";

/** Most compiled scripts kept. */
const CACHED = 256;
/** How long a script that ends the bundler or takes it too long is not tried again, ms. */
const BAD_MS = 10 * 60_000;

/** Compiles scripts; see `Sandbox.compile`. */
export interface Compiler {
  compile(request: CompileRequest): Promise<CompileResult>;
  /** Starts the process of an app whose scripts are about to be compiled. */
  prepare(app: string): void;
  /** The isolation of the processes. */
  layer(): Promise<SandboxLayer>;
  /** Ends the processes; resolves when nothing is left of them. */
  close(): Promise<void>;
}

/** A compiler with a cache: a script is built again only when a file it was made of has changed. It closes its bundlers. */
export function createCompiler(options: StarterOptions, bundlers = new Bundlers(options)): Compiler {
  return new CachingCompiler(bundlers);
}

class CachingCompiler implements Compiler {
  readonly #bundlers: Bundlers;
  readonly #cache = new Map<string, Compiled>();

  constructor(bundlers: Bundlers) {
    this.#bundlers = bundlers;
  }

  async compile(request: CompileRequest): Promise<CompileResult> {
    try {
      return await this.#compileUnlessCached(request);
    } catch (error) {
      const message = readMessage(error);
      if (error instanceof WeakIsolationError) return createFailure(request, "SANDBOX_UNAVAILABLE", message);
      return createFailure(request, "SANDBOX_NOT_BUNDLED", `the script can't be bundled: ${message}`);
    }
  }

  prepare(app: string): void {
    this.#bundlers.prepare(app);
  }

  layer(): Promise<SandboxLayer> {
    return this.#bundlers.layer();
  }

  close(): Promise<void> {
    return this.#bundlers.close();
  }

  async #compileUnlessCached(request: CompileRequest): Promise<CompileResult> {
    const root = request.root === null ? null : await realpath(request.root);
    const key = hashText(JSON.stringify([request.app, root, request.source, request.entrypoint, request.label]));
    const cached = this.#cache.get(key);
    if (cached !== undefined && (await isFresh(cached, root))) return cached.result;
    const { result, texts, isBad } = await compileScript({ ...request, root }, this.#bundlers);
    this.#cache.delete(key);
    // another error may be mended by a file that was not there
    if (result.ok || isBad) {
      const hashes = new Map([...texts].map(([name, text]) => [name, hashText(text)]));
      this.#cache.set(key, { result, hashes, until: isBad ? performance.now() + BAD_MS : Number.POSITIVE_INFINITY });
      const [oldest] = this.#cache.keys();
      if (this.#cache.size > CACHED && oldest !== undefined) this.#cache.delete(oldest);
    }
    return result;
  }
}

interface Compiled {
  readonly result: CompileResult;
  /** Content hash of every file the script was made of, by its name with its namespace. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Forgotten then, ms of the monotonic clock. */
  readonly until: number;
}

async function isFresh({ hashes, until }: Compiled, root: string | null): Promise<boolean> {
  if (performance.now() > until) return false;
  for (const [name, hash] of hashes) {
    if (root === null || !name.startsWith(CATALOG)) continue;
    const text = await rereadFile(root, name.slice(CATALOG.length));
    if (text === null || hashText(text) !== hash) return false;
  }
  return true;
}
