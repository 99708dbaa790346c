/**
 * Sends and waits for what the host's official Python client (truenas_api_client) does, so that a host can be held against
 * it: options first, the job mode from their answer, jobs by request id or by job id, results only as that client has them.
 */
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import { z } from "zod";
import { isJsonObject, type Json } from "../../../src/core/json/json.ts";
import { BARE_CLIENT } from "../wire-check/check-frame.ts";

const Data = z.object({
  error: z.int(),
  errname: z.string(),
  reason: z.string(),
  trace: z.json(),
  extra: z.array(z.tuple([z.string().nullable(), z.string(), z.int()])).nullable(),
});
const Answer = z.object({
  id: z.string(),
  result: z.json().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: Data.optional() }).optional(),
});
const Update = z.object({
  method: z.literal("collection_update"),
  params: z.object({
    msg: z.enum(["added", "changed", "removed"]),
    collection: z.string(),
    id: z.json().optional(),
    fields: z.json().optional(),
  }),
});
const JobFields = z.object({
  id: z.int(),
  message_ids: z.array(z.string()),
  state: z.enum(["WAITING", "RUNNING", "SUCCESS", "FAILED", "ABORTED"]),
  progress: z.object({ percent: z.number().nullable(), description: z.string().nullable() }),
  result: z.json(),
  error: z.string().nullable(),
  exc_info: z.object({ type: z.string(), errno: z.int().nullable(), extra: z.json() }).nullable(),
});
const Options = z.object({ legacy_jobs: z.boolean() }).nullable();

/** An error as the client raises it. */
export class ClientException extends Error {
  readonly errno: number;
  readonly extra: Json;

  constructor(message: string, errno: number, extra: Json) {
    super(message);
    this.errno = errno;
    this.extra = extra;
  }
}

type JobEvent = z.infer<typeof JobFields>;
type OnJob = (job: JobEvent) => void;
type OnEvent = (event: z.infer<typeof Update>["params"]) => void;

interface PendingCall {
  readonly answer: PromiseWithResolvers<Json>;
}

/** A job the caller looks at later: `job="RETURN"`. */
export interface ReturnedJob {
  /** The job's result; throws `ClientException`. */
  result(): Promise<Json>;
}

export class OfficialClient {
  readonly #socket: WebSocket;
  readonly #pending = new Map<string, PendingCall>();
  readonly #callbacks = new Map<string, OnEvent>();
  readonly #jobCallbacks = new Map<string, OnJob>();
  readonly #jobs = new Map<number, JobEvent>();
  readonly #jobWaits = new Set<() => void>();
  #legacyJobs: boolean | undefined;
  #watching: Promise<unknown> | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(JSON.parse(String(data))));
    socket.on("close", () => {
      for (const { answer } of this.#pending.values()) answer.reject(new Error("WebSocket connection closed"));
    });
  }

  /** Connects and asks for results of jobs as answers; hosts that know no such option answer null and go on with ids. */
  static async connect(url: string): Promise<OfficialClient> {
    const socket = new WebSocket(url, { headers: { "user-agent": BARE_CLIENT } });
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    const client = new OfficialClient(socket);
    const wanted = { private_methods: false, py_exceptions: false, legacy_jobs: false };
    const options = Options.parse(await client.call("core.set_options", wanted));
    client.#legacyJobs = options === null || options.legacy_jobs;
    return client;
  }

  /** The best mechanism the host offers, which is SCRAM before a key in plain text. */
  async loginWithApiKey(username: string, apiKey: string): Promise<void> {
    const offered = z.array(z.string()).parse(await this.call("auth.mechanism_choices"));
    if (offered.includes("SCRAM")) throw new Error("the client would log in by SCRAM");
    const login = { mechanism: "API_KEY_PLAIN", username, api_key: apiKey };
    const answer = z.object({ response_type: z.string() }).parse(await this.call("auth.login_ex", login));
    if (answer.response_type !== "SUCCESS") throw new ClientException("Invalid API key", 13, null);
  }

  /** `call(method, *params)`. */
  call(method: string, ...params: readonly Json[]): Promise<Json> {
    return this.#send(method, params).pending.answer.promise;
  }

  /** `call(method, *params, job=True, callback=callback)`. */
  async callJob(method: string, params: readonly Json[], callback?: OnJob): Promise<Json> {
    return (await this.returnJob(method, params, callback)).result();
  }

  /** `call(method, *params, job="RETURN", callback=callback)`. */
  async returnJob(method: string, params: readonly Json[], callback?: OnJob): Promise<ReturnedJob> {
    this.#watching ??= this.call("core.subscribe", "core.get_jobs");
    await this.#watching;
    const { id, pending } = this.#send(method, params, callback);
    const answered = pending.answer.promise;
    if (this.#legacyJobs === false) {
      answered.catch(() => {});
      return { result: () => answered };
    }
    const jobId = z.int().parse(await answered);
    const known = this.#jobs.get(jobId);
    if (known !== undefined && callback !== undefined && !known.message_ids.includes(id)) callback(known);
    return { result: () => this.#resultOf(jobId) };
  }

  /** `subscribe(name, callback)`. */
  async subscribe(name: string, callback: OnEvent): Promise<string> {
    this.#callbacks.set(name, callback);
    return z.string().parse(await this.call("core.subscribe", name));
  }

  /** `unsubscribe(id)`. */
  async unsubscribe(id: string): Promise<void> {
    await this.call("core.unsubscribe", id);
  }

  close(): void {
    this.#socket.close();
  }

  #send(method: string, params: readonly Json[], callback?: OnJob): { id: string; pending: PendingCall } {
    const id = randomUUID();
    const pending: PendingCall = { answer: Promise.withResolvers<Json>() };
    this.#pending.set(id, pending);
    if (callback !== undefined) this.#jobCallbacks.set(id, callback);
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", method, id, params }));
    return { id, pending };
  }

  #receive(message: Json): void {
    const update = Update.safeParse(message);
    if (update.success) {
      const { params } = update.data;
      if (params.collection === "core.get_jobs" && params.msg !== "removed")
        this.#noteJob(JobFields.parse(params.fields));
      this.#callbacks.get(params.collection)?.(params);
      return;
    }
    if (isJsonObject(message) && message["method"] === "notify_unsubscribed") return;
    const { id, result, error } = Answer.parse(message);
    const pending = this.#pending.get(id);
    if (error === undefined) pending?.answer.resolve(result ?? null);
    else pending?.answer.reject(toException(error));
  }

  /** The client finds the job of a call it still waits for by the call's id among `message_ids`. */
  #noteJob(job: JobEvent): void {
    this.#jobs.set(job.id, job);
    for (const id of job.message_ids) this.#jobCallbacks.get(id)?.(job);
    for (const wake of this.#jobWaits) wake();
  }

  async #resultOf(jobId: number): Promise<Json> {
    const ended = await new Promise<JobEvent>((resolve) => {
      const look = (): void => {
        const job = this.#jobs.get(jobId);
        if (job === undefined || job.state === "WAITING" || job.state === "RUNNING") return;
        this.#jobWaits.delete(look);
        resolve(job);
      };
      this.#jobWaits.add(look);
      look();
    });
    if (ended.state === "SUCCESS") return ended.result;
    throw new ClientException(
      ended.error ?? "Job was aborted",
      ended.exc_info?.errno ?? 22,
      ended.exc_info?.extra ?? null,
    );
  }
}

function toException({ message, data }: NonNullable<z.infer<typeof Answer>["error"]>): ClientException {
  if (data === undefined) return new ClientException(message, 22, null);
  return new ClientException(data.reason, data.error, data.extra);
}
