/** A script whose every call depends on everything it was told before, and its journals. */
import type { CompiledScript } from "../../../sandbox/contract.ts";
import type { StoredJournal } from "../../../sandbox/journal/row.ts";
import type { Json } from "../../../src/core/json/json.ts";
import { type AppServer, startApp } from "../app-server.ts";
import type { Workbench } from "../workbench.ts";
import { beginLife, compile, type LifeOptions } from "./lives.ts";

/** Ends with the chain; the app's large body is longer than one that stands in its row. */
export const CHAIN = `
import { createHash } from "node:crypto";
export async function run(ctx: any) {
  let chain = "";
  const add = (...told: unknown[]) => {
    chain = createHash("sha256").update(JSON.stringify([chain, Date.now(), ...told])).digest("hex");
    ctx.log(chain);
  };
  const ask = async (method: string, path: string) => {
    const body = method === "POST" || method === "PUT" ? chain : null;
    const response = await fetch(ctx.baseUrl + path + "?" + chain, { method, body });
    add(method, response.status, [...response.headers], await response.text(), Math.random(), crypto.randomUUID());
  };
  await ctx.registerCheckpoints([{ id: "a", message: "A" }]);
  for (const method of ["GET", "POST", "PUT", "DELETE"]) await ask(method, "/" + method.toLowerCase());
  await Promise.all([ask("GET", "/left"), ask("PATCH", "/right"), ask("GET", "/large")]);
  add(await ctx.awaitCheckpointRetry("a", chain));
  await ctx.sleep(1);
  await ask("GET", "/large");
  await ctx.updateCheckpointMessage("a", chain);
  return chain;
}
`;

export interface Chain extends AsyncDisposable {
  readonly app: AppServer;
  readonly script: CompiledScript;
  /** Plays it with these rows. */
  play(options?: Partial<LifeOptions>): Promise<{
    readonly journal: StoredJournal;
    readonly result: Json | undefined;
    /** How it failed; null where it did not. */
    readonly failure: { readonly reason: string; readonly message: string } | null;
    readonly lines: readonly string[];
    /** Requests that came to the app. */
    readonly requests: number;
  }>;
}

export async function startChain(bench: Workbench): Promise<Chain> {
  const large = "large ".repeat(15_000);
  const text = (body: string) => () => ({ body });
  const app = await startApp({
    "GET /get": text("got"),
    "POST /post": text("posted"),
    "PUT /put": text("put"),
    "DELETE /delete": () => ({ status: 204 }),
    "GET /left": text("left"),
    "PATCH /right": text("right"),
    "GET /large": text(large),
  });
  const script = await compile(bench.sandbox, CHAIN);
  return {
    app,
    script,
    async play(options = {}) {
      const before = app.received.length;
      const life = beginLife(bench.sandbox, { script, port: app.port, ...options });
      const outcome = await life.outcome;
      const failed = outcome.status === "failed" ? outcome : null;
      return {
        journal: life.journal.read(),
        result: outcome.status === "completed" ? outcome.result : undefined,
        failure: failed && { reason: failed.reason, message: failed.message },
        lines: life.lines,
        requests: app.received.length - before,
      };
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
