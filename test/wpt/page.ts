/** One page of the suite as a script of the sandbox, and its run there. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { z } from "zod";
import type { CompiledScript, RunOutcome, Sandbox, ScriptIo } from "../../sandbox/contract.ts";
import type { TestPage } from "./select.ts";

/** Where pages find the suite's own files. */
const ORIGIN = "http://web-platform.test";

/** Name of the subtest that fails when a page throws while it is evaluated. */
const ABORTED = "the page is evaluated to its end";

/** What a subtest ended with; `PASS` is testharness's 0. */
const Result = z.object({
  harness: z.object({ status: z.number(), message: z.string().nullable() }),
  tests: z.array(z.object({ name: z.string(), status: z.number(), message: z.string().nullable() })),
});

export interface PageResult {
  readonly page: TestPage;
  /** Subtest names; a name that occurs twice counts twice. */
  readonly passed: readonly string[];
  readonly failed: readonly { readonly name: string; readonly message: string }[];
  /** Why the page as a whole came to no result. */
  readonly fault?: string;
}

/** Runs one page in a child of its own; `testharness` is the suite's `resources/testharness.js`, unmodified. */
export async function runPage(sandbox: Sandbox, page: TestPage, testharness: string): Promise<PageResult> {
  const run = sandbox.run(
    {
      runId: page.name,
      kind: "hook",
      script: pageScript(page, testharness),
      entrypoint: "run",
      context: {},
      secrets: [],
      wallMs: 60_000,
      network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: false },
      mounts: [],
      seed: page.name,
    },
    { call: async () => null, log: () => {}, audit: () => {} },
  );
  return readOutcome(page, await run.outcome);
}

function readOutcome(page: TestPage, outcome: RunOutcome): PageResult {
  if (outcome.status === "failed") {
    return { page, passed: [], failed: [], fault: `${outcome.reason}: ${outcome.message}\n${outcome.stack ?? ""}` };
  }
  const { harness, tests } = Result.parse(outcome.result);
  const passed = tests.filter(({ status }) => status === 0).map(({ name }) => name);
  const failed = tests
    .filter(({ status }) => status !== 0)
    .map(({ name, message }) => ({ name, message: message ?? "" }));
  return harness.status === 0
    ? { page, passed, failed }
    : { page, passed, failed, fault: `the harness ended with ${harness.status}: ${harness.message}` };
}

/**
 * The page as the sandbox's bundler would leave it. Everything is evaluated in the global scope, as the suite expects; the
 * texts of the page are one, so that their top-level `const`s see each other.
 */
function pageScript(page: TestPage, testharness: string): CompiledScript {
  const location = { href: `${ORIGIN}/${page.file}${page.search}`, search: page.search, pathname: `/${page.file}` };
  const code = `var __exports = { run: () => new Promise((resolve) => {
    const evaluate = eval;
    const real = fetch;
    Object.assign(globalThis, {
      GLOBAL: { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false },
      location: ${JSON.stringify(location)},
      META_TITLE: ${JSON.stringify(page.title)},
      fetch: (input, init) => real(typeof input === "string" ? new URL(input, location.href).href : input, init),
    });
    (${offerFileReader})();
    evaluate(${JSON.stringify(testharness)});
    setup({ explicit_done: true });
    add_completion_callback((tests, harness) => resolve({
      harness: { status: harness.status, message: harness.message },
      tests: tests.map(({ name, status, message }) => ({
        name: name.toWellFormed(),
        status,
        message: status === 0 ? null : String(message).slice(0, 300).toWellFormed(),
      })),
    }));
    // What the page threw becomes a failed subtest, so that those before it count.
    let thrown;
    try { evaluate(${JSON.stringify(page.code)}); } catch (error) { thrown = error; }
    if (thrown !== undefined) test(() => { throw thrown; }, ${JSON.stringify(ABORTED)});
    done();
  }) };`;
  return {
    sha256: createHash("sha256").update(code).digest("hex"),
    code,
    sourceMap: JSON.stringify({ version: 3, sources: [], names: [], mappings: "" }),
  };
}

/** What the suite's Blob tests read blobs with; scripts have no FileReader. Runs inside the sandbox. */
function offerFileReader(): void {
  class FileReader extends EventTarget {
    result: unknown = null;
    readAsText(blob: Blob): void {
      void this.#read(blob.text());
    }
    readAsArrayBuffer(blob: Blob): void {
      void this.#read(blob.arrayBuffer());
    }
    async #read(result: Promise<unknown>): Promise<void> {
      this.result = await result;
      for (const type of ["load", "loadend"]) {
        const event = new Event(type);
        this.dispatchEvent(event);
        (Reflect.get(this, `on${type}`) as ((event: Event) => void) | undefined)?.(event);
      }
    }
  }
  Object.assign(globalThis, { FileReader });
}

/** Serves the suite's files to `fetch`, and nothing else. */
export function suiteFiles(root: string): ScriptIo {
  const refused = async () => ({ error: { name: "Error", message: "not offered to web-platform-tests" } });
  return {
    open: () => ({
      fetch: async ({ url, body: sent }) => {
        const { origin, pathname } = new URL(url);
        const path = normalize(join(root, decodeURIComponent(pathname)));
        if (origin !== ORIGIN || !path.startsWith(root)) {
          return { error: { name: "TypeError", message: `fetch failed: ${url} is not of the suite` } };
        }
        const head = { status: 200, statusText: "", headers: [], url, redirected: false };
        // The suite's own server echoes here; its handler is Python.
        if (pathname === "/fetch/api/resources/echo-content.py") return { ok: { head, body: sent ?? Buffer.alloc(0) } };
        return {
          ok: existsSync(path)
            ? { head, body: readFileSync(path) }
            : { head: { ...head, status: 404 }, body: Buffer.alloc(0) },
        };
      },
      readFile: refused,
      list: refused,
      stat: refused,
      openDatabase: refused,
      query: refused,
      closeDatabase: refused,
      close: async () => {},
    }),
  };
}
