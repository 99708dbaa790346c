import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json/json.ts";
import type { StandinOptions } from "../../../src/standin/settings.ts";
import { createStandinHost, type StandinHost } from "../../../src/standin/standin.ts";
import { BARE_CLIENT } from "../wire-check/check-frame.ts";
import { WITHIN_MS } from "../within.ts";

const Message = z.custom<JsonObject>((value) => isJsonObject(value as Json));

/** A bare JSON-RPC connection: sends what it is told, keeps everything that comes, interprets nothing. */
export interface RawClient {
  readonly socket: WebSocket;
  /** Every message received, oldest first. */
  readonly received: JsonObject[];
  /** Calls and returns the whole answer. */
  answer(method: string, ...params: readonly Json[]): Promise<JsonObject>;
  /** Calls and returns the result; throws on an error answer. */
  call(method: string, ...params: readonly Json[]): Promise<Json>;
  /** Calls a query method and returns its list. */
  rows(method: string, ...params: readonly Json[]): Promise<readonly JsonObject[]>;
  /** Calls and returns the error; throws on a result. */
  failure(method: string, ...params: readonly Json[]): Promise<JsonObject>;
  /** Sends a frame as it is. */
  send(text: string | Buffer): void;
  /** Resolves with the first message, past or coming, that passes. */
  until(test: (message: JsonObject) => boolean): Promise<JsonObject>;
  /** Resolves with the code the socket is closed with. */
  closed(): Promise<number>;
  /** Calls a job method and returns the job once it has ended. */
  job(method: string, ...params: readonly Json[]): Promise<JsonObject>;
}

/** Opens a connection; closed when the test ends. */
export async function openRaw(url: string): Promise<RawClient> {
  const client = await connectRaw(url);
  onTestFinished(() => client.socket.terminate());
  return client;
}

/** Opens a connection whose socket the caller terminates. */
export async function connectRaw(url: string): Promise<RawClient> {
  const socket = new WebSocket(url, { headers: { "user-agent": BARE_CLIENT } });
  const received: JsonObject[] = [];
  const watchers = new Set<() => void>();
  const { promise: closing, resolve: close } = Promise.withResolvers<number>();
  socket.on("message", (data) => {
    received.push(Message.parse(JSON.parse(String(data))));
    for (const watch of watchers) watch();
  });
  socket.on("close", (code) => {
    close(code);
    for (const watch of watchers) watch();
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  let calls = 0;
  const until = (test: (message: JsonObject) => boolean): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const watch = (): void => {
        const found = received.find(test);
        if (found === undefined && socket.readyState === socket.OPEN) return;
        watchers.delete(watch);
        if (found === undefined) reject(new Error("the connection was closed first"));
        else resolve(found);
      };
      watchers.add(watch);
      watch();
    });
  const answer = (method: string, ...params: readonly Json[]): Promise<JsonObject> => {
    calls += 1;
    const id = `call-${calls}`;
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return until((message) => message["id"] === id);
  };
  const call = async (method: string, ...params: readonly Json[]): Promise<Json> => {
    const { result, error } = await answer(method, ...params);
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
    return result;
  };
  return {
    socket,
    received,
    answer,
    call,
    until,
    rows: async (method, ...params) => {
      const list = await call(method, ...params);
      if (!Array.isArray(list)) throw new Error(`${method} answered no list: ${JSON.stringify(list)}`);
      return list.filter(isJsonObject);
    },
    failure: async (method, ...params) => {
      const { error, result } = await answer(method, ...params);
      if (!isJsonObject(error)) throw new Error(`${method} succeeded: ${JSON.stringify(result)}`);
      return error;
    },
    send: (text) => socket.send(text),
    closed: () => closing,
    job: async (method, ...params) => {
      const id = await call(method, ...params);
      return endOfJob({ call }, id);
    },
  };
}

/** Waits for a job's end by polling, as the host's documentation advises; events are only hints. */
export async function endOfJob(client: Pick<RawClient, "call">, id: Json): Promise<JsonObject> {
  for (;;) {
    const found = await client.call("core.get_jobs", [["id", "=", id]]);
    const job = Array.isArray(found) ? found[0] : undefined;
    if (!isJsonObject(job)) throw new Error(`job ${JSON.stringify(id)} is gone`);
    if (job["time_finished"] !== null) return job;
  }
}

/** Logs in with the stand-in's own key. */
export async function openLoggedIn(host: Pick<StandinHost, "url" | "username" | "apiKey">): Promise<RawClient> {
  const client = await openRaw(host.url);
  await client.call("auth.login_ex", login(host));
  return client;
}

/** The login of a stand-in's account. */
export function login(host: Pick<StandinHost, "username" | "apiKey">): JsonObject {
  return { mechanism: "API_KEY_PLAIN", username: host.username, api_key: host.apiKey };
}

/** A directory that is gone when the test ends. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "slipway-standin-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return dir;
}

/** A stand-in of its own directory, a hundred times as fast as the default, closed when the test ends. */
export async function startStandin(options: Partial<StandinOptions> = {}): Promise<StandinHost> {
  const host = await createStandinHost({
    speed: 100,
    scansSnapshots: false,
    ...options,
    dir: options.dir ?? temporaryDirectory(),
  });
  onTestFinished(() => host.close());
  return host;
}

/** Polls an app until it has a state; throws when the test's time is nearly over. */
export async function untilState(client: RawClient, name: string, state: string): Promise<JsonObject> {
  for (const late = AbortSignal.timeout(WITHIN_MS); !late.aborted; ) {
    const entry = await client.call("app.get_instance", name);
    if (isJsonObject(entry) && entry["state"] === state) return entry;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`"${name}" did not become ${state}`);
}

/** Installs a catalog app and returns its entry once RUNNING. */
export async function install(client: RawClient, args: JsonObject): Promise<JsonObject> {
  const job = await client.job("app.create", args);
  if (job["state"] !== "SUCCESS") throw new Error(`install failed: ${JSON.stringify(job["error"])}`);
  return untilState(client, String(args["app_name"]), "RUNNING");
}

/** A member at a path of keys, or undefined. */
export function at(value: Json | undefined, ...keys: readonly (string | number)[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of keys) {
    if (Array.isArray(found) && typeof key === "number") found = found[key];
    else found = isJsonObject(found) ? found[String(key)] : undefined;
  }
  return found;
}

/** What `app.create` takes for an app of the stand-in's own catalog, newest version. */
export const JELLYFIN = { app_name: "jellyfin", catalog_app: "jellyfin", train: "community" };

/** What a job that failed with the host's CallError has. */
export function failed(errno: number, error: string): JsonObject {
  return { state: "FAILED", error, exc_info: { type: "CallError", errno } };
}
