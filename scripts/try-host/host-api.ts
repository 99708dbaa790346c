/**
 * The host's API as try-host reads it: a client of its own, so that what the engine says is compared with what the host
 * itself says. Uses the newest API the host has.
 */
import { WebSocket } from "ws";
import { z } from "zod";
import { connectTls } from "../../src/adapters/host-rpc/tls.ts";
import { readHost, readPort } from "../../src/adapters/url-parts.ts";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import type { TryOptions } from "./options.ts";

/** ms a call may take; a job is asked for again and again, for as long as it runs. */
const CALL_MS = 120_000;
/** ms between two looks at a job. */
const POLL_MS = 500;
/** ms between two pings: the host's proxy cuts a silent connection after 60 s. */
const PING_MS = 20_000;

const Answer = z.object({
  id: z.number(),
  result: z.json().optional(),
  error: z
    .object({
      code: z.int(),
      message: z.string(),
      data: z.object({ error: z.int(), reason: z.string(), extra: z.json() }).optional(),
    })
    .optional(),
});
const Rows = z.array(z.record(z.string(), z.json()));
const Job = z.object({ state: z.string(), error: z.string().nullable(), result: z.json() });

/** The host refused a call. */
export class HostCallError extends Error {
  /** True for what does not exist: ENOENT, by itself or as a finding about an argument. */
  readonly isMissing: boolean;

  constructor(method: string, { message, data }: NonNullable<z.infer<typeof Answer>["error"]>) {
    super(`${method}: ${(data?.reason ?? message).trim()}`);
    const extra = z.array(z.tuple([z.json(), z.json(), z.int()])).safeParse(data?.extra);
    this.isMissing = data?.error === 2 || (extra.success && extra.data.some(([, , errno]) => errno === 2));
  }
}

export class HostApi {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, { readonly method: string } & PromiseWithResolvers<Json>>();
  readonly #ping: NodeJS.Timeout;
  #calls = 0;
  #isBefore2510 = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(String(data)));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clearInterval(this.#ping);
      for (const { method, reject } of this.#pending.values()) reject(new Error(`${method}: the connection ended`));
      this.#pending.clear();
    });
    this.#ping = setInterval(() => this.call("core.ping").catch(() => {}), PING_MS);
  }

  /** Connects and logs in. Throws when the host can't be reached, is not trusted, or refuses the key. */
  static async open({ url: address, tls, username, apiKey }: TryOptions): Promise<HostApi> {
    const url = new URL(address);
    if (url.pathname === "/") url.pathname = "/api/current";
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      handshakeTimeout: 30_000,
      ...(url.protocol === "wss:" && {
        createConnection: () => connectTls(tls, { host: readHost(url), port: readPort(url) }),
      }),
    });
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    const api = new HostApi(socket);
    const answer = await api.call("auth.login_ex", { mechanism: "API_KEY_PLAIN", username, api_key: apiKey });
    const { response_type: type } = z.object({ response_type: z.string() }).parse(answer);
    if (type === "SUCCESS") {
      await api.call("core.set_options", { legacy_jobs: true });
      const { version } = z.object({ version: z.string() }).parse(await api.call("system.info"));
      api.#isBefore2510 = /\b2[0-4]\.|\b25\.04/.test(version);
      return api;
    }
    api.close();
    throw new Error(`the host answers the login with ${type}: check --host-user and the key`);
  }

  /** Whether the host is older than 25.10, which renamed the calls about snapshots and services. */
  get isBefore2510(): boolean {
    return this.#isBefore2510;
  }

  /** Calls a method and returns its result. Throws `HostCallError`. */
  async call(method: string, ...params: readonly Json[]): Promise<Json> {
    this.#calls += 1;
    const id = this.#calls;
    const waiting = Promise.withResolvers<Json>();
    this.#pending.set(id, { method, ...waiting });
    const late = setTimeout(() => waiting.reject(new Error(`${method}: no answer in ${CALL_MS / 1000} s`)), CALL_MS);
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }), (error) => {
      if (error) waiting.reject(error);
    });
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(late);
      this.#pending.delete(id);
    }
  }

  /** Calls a query and returns its rows. */
  async rows(method: string, ...params: readonly Json[]): Promise<readonly JsonObject[]> {
    return Rows.parse(await this.call(method, ...params));
  }

  /** Runs a job to its end and returns its result. Throws with the job's own words. */
  async job(method: string, ...params: readonly Json[]): Promise<Json> {
    const id = z.int().parse(await this.call(method, ...params));
    for (;;) {
      const [row] = await this.rows("core.get_jobs", [["id", "=", id]]);
      const job = Job.parse(row);
      if (job.state === "SUCCESS") return job.result;
      if (job.state === "FAILED" || job.state === "ABORTED") throw new Error(`${method}: ${job.error ?? job.state}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  close(): void {
    clearInterval(this.#ping);
    this.#socket.close();
  }

  #receive(text: string): void {
    const answer = Answer.safeParse(JSON.parse(text));
    if (!answer.success) return;
    const { id, result, error } = answer.data;
    const waiting = this.#pending.get(id);
    if (waiting === undefined) return;
    if (error === undefined) waiting.resolve(result ?? null);
    else waiting.reject(new HostCallError(waiting.method, error));
  }
}

/** null where the host says that it does not exist. */
export async function orMissing<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof HostCallError && error.isMissing) return null;
    throw error;
  }
}
