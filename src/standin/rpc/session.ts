/**
 * One connection of a client (docs/host-api.md, section 2).
 *
 * Invariants:
 * 1. Nothing but the calls marked open runs before login.
 * 2. At most `runningCalls` calls run and `callsInFlight` are unanswered; the next one is refused at once.
 * 3. A call once begun runs to its end also when the socket closes; only its answer is lost (26.0 cancels calls that
 *    have not begun and are no jobs).
 */
import type { WebSocket } from "ws";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { type JobRecord, maskArguments } from "../jobs/job.ts";
import { isSince, type WireLimits } from "../settings.ts";
import type { World } from "../world.ts";
import { FRAMES, type StandinFrame } from "./frames.ts";
import type { Caller, JobMethod, Method, SessionOptions, Started } from "./method.ts";
import type { RateLimit } from "./rate-limit.ts";
import { type RpcRequest, readRequest } from "./request.ts";
import {
  buildErrorAnswer,
  createCallError,
  createInvalidParam,
  createNotAuthenticated,
  createUnexpectedError,
  RpcError,
} from "./rpc-error.ts";

/** Shared by all sessions. */
export interface SessionSurroundings {
  readonly world: World;
  readonly methods: ReadonlyMap<string, Method>;
  readonly limits: WireLimits;
  readonly rateLimit: RateLimit;
  /** A call came in. */
  called(request: RpcRequest): void;
  /** Starts an argumented event source; undefined when the name is a plain collection. */
  startSource(name: string, send: (notification: JsonObject) => void): (() => void) | undefined;
}

/** ms of the fault `slow-answer` unless told otherwise. */
const SLOW_MS = 2000;

/** ms of the fault `out-of-order` unless told otherwise. */
const REORDER_MS = 50;

/** The other end of a session. */
interface SessionClient {
  readonly address: string;
  readonly agent: string | null;
  /** The API version its path names; the host's own for `current`. */
  readonly version: string;
  /** That version is older than the host's own: argument errors of jobs come directly. */
  readonly olderVersion: boolean;
}

export class Session implements Caller {
  readonly #around: SessionSurroundings;
  readonly #socket: WebSocket;
  readonly #client: SessionClient;
  readonly #subscriptions = new Set<string>();
  readonly #waitingForSlot: (() => void)[] = [];
  readonly #closed = new AbortController();
  #running = 0;
  #inFlight = 0;
  #options: SessionOptions = { legacy_jobs: true, private_methods: false, py_exceptions: false };
  #idle: NodeJS.Timeout | undefined;
  loggedIn = false;

  constructor(around: SessionSurroundings, socket: WebSocket, client: SessionClient) {
    this.#around = around;
    this.#socket = socket;
    this.#client = client;
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("close", () => this.#end());
    socket.on("error", () => socket.terminate());
    this.#restartIdle();
  }

  setLoggedIn(loggedIn: boolean): void {
    this.loggedIn = loggedIn;
  }

  setOptions(changed: Partial<SessionOptions>): SessionOptions {
    this.#options = { ...this.#options, ...changed };
    return this.#options;
  }

  subscribe(name: string): string {
    const { world, startSource } = this.#around;
    const id = world.random.uuid();
    const send = (notification: JsonObject): void => this.#send(notification);
    const end = startSource(name, send);
    this.#subscriptions.add(id);
    world.events.add({ id, name, send, ...(end !== undefined && { end }) });
    return id;
  }

  unsubscribe(id: string): void {
    if (this.#subscriptions.delete(id)) this.#around.world.events.remove(id);
  }

  /** Cuts the connection without a goodbye. */
  drop(): void {
    this.#socket.terminate();
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#closed.abort();
    for (const id of this.#subscriptions) this.#around.world.events.remove(id);
    this.#subscriptions.clear();
  }

  #receive(data: unknown, isBinary: boolean): void {
    if (isBinary || !Buffer.isBuffer(data)) {
      this.#socket.close(1003);
      return;
    }
    const { messageCharacters, messageCharactersBeforeLogin } = this.#around.limits;
    const text = data.toString("utf8");
    const limit = this.loggedIn ? messageCharacters : messageCharactersBeforeLogin;
    // Counted one by one only if it may be too long: no character has less than a byte.
    if (data.length > limit && Array.from(text).length > limit) {
      this.#socket.close(this.loggedIn ? 1009 : 1007, "Max message length exceeded");
      return;
    }
    const request = readRequest(text);
    if ("error" in request) this.#answerError(request.id, request.error);
    else void this.#handle(request);
  }

  async #handle(request: RpcRequest): Promise<void> {
    const { called, limits, world } = this.#around;
    called(request);
    this.#publish(request, null);
    const moment = { method: request.method };
    if (world.faults.take("drop-before-call", moment)) {
      this.drop();
      return;
    }
    if (this.#inFlight >= limits.callsInFlight || world.faults.take("too-many-calls", moment)) {
      const text = `Maximum number of concurrent calls (${limits.callsInFlight}) has exceeded`;
      this.#answerError(request.id, new RpcError(-32000, text), request);
      return;
    }
    this.#inFlight += 1;
    try {
      const result = await this.#inSlot(() => this.#run(request));
      await this.#disturbAnswer(moment);
      if (request.id !== undefined) this.#send({ jsonrpc: "2.0", id: request.id, result }, request);
    } catch (error) {
      this.#answerError(
        request.id,
        error instanceof RpcError ? error : createUnexpectedError("Exception", String(error)),
        request,
      );
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #disturbAnswer(moment: { readonly method: string }): Promise<void> {
    const { faults, pace } = this.#around.world;
    const slow = faults.take("slow-answer", moment);
    if (slow !== undefined) await pace(slow.value ?? SLOW_MS);
    const late = faults.take("out-of-order", moment);
    if (late !== undefined) await pace(late.value ?? REORDER_MS);
    if (faults.take("drop-before-answer", moment)) this.drop();
  }

  async #inSlot<T>(run: () => Promise<T> | T): Promise<T> {
    if (this.#running >= this.#around.limits.runningCalls) {
      await new Promise<void>((resolve) => this.#waitingForSlot.push(resolve));
    }
    this.#running += 1;
    try {
      return await run();
    } finally {
      this.#running -= 1;
      this.#waitingForSlot.shift()?.();
    }
  }

  async #run(request: RpcRequest): Promise<Json> {
    const { methods, world, rateLimit } = this.#around;
    const method = methods.get(request.method);
    if (method === undefined) throw new RpcError(-32601, "Method does not exist");
    const open = method.kind === "direct" && method.open;
    if (!this.loggedIn && open && !rateLimit.admit(method.name, this.#client.address, world.now())) {
      await world.pace(world.random.between(1000, 10_000));
      throw createCallError("EBUSY", "Rate Limit Exceeded");
    }
    if (this.loggedIn && world.faults.take("session-expired", { method: method.name })) this.loggedIn = false;
    if (!this.loggedIn && !open) throw createNotAuthenticated();
    if (method.kind === "job") {
      const job = this.#submit(method, request);
      return this.#options.legacy_jobs ? job.id : awaitOutcome(job);
    }
    if (this.#closed.signal.aborted && isSince(world.generation, "26.0"))
      throw createCallError("EFAULT", "Call was cancelled");
    return method.run(world, request.params, this);
  }

  find(name: string): (params: readonly Json[]) => Promise<Started> {
    const { methods, world } = this.#around;
    const method = methods.get(name);
    if (method === undefined) throw createCallError("ENOMETHOD", `Method '${name}' not found`);
    return async (params) =>
      method.kind === "job"
        ? { kind: "job", job: this.#submit(method, { id: undefined, method: name, params }) }
        : { kind: "result", result: await method.run(world, params, this) };
  }

  #submit(method: JobMethod, request: RpcRequest): JobRecord {
    const { world } = this.#around;
    if (this.#client.olderVersion) method.check(request.params);
    return world.jobs.submit({
      method: method.name,
      description: method.description(request.params),
      args: maskArguments(request.params),
      messageIds: request.id === undefined || request.id === null ? [] : [String(request.id)],
      credentials: { type: "API_KEY", data: { username: world.state.username, api_key: { id: 1, name: "slipway" } } },
      abortable: method.abortable,
      lock: method.lock(request.params, world.generation),
      run: (handle) => {
        if (world.faults.take("job-validation", { method: method.name })) {
          throw createInvalidParam(`${method.name.replaceAll(".", "_")}.values`, "Field required");
        }
        return method.run(world, request.params, handle, this);
      },
    });
  }

  #answerError(id: string | number | null | undefined, error: RpcError, request: RpcRequest | null = null): void {
    if (id === undefined) return;
    this.#send(buildErrorAnswer(id, error, !isSince(this.#around.world.generation, "26.0")), request);
  }

  #send(message: JsonObject, request: RpcRequest | null = null): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify(message));
    this.#publish(request, message);
    this.#restartIdle();
  }

  #publish(request: RpcRequest | null, sent: JsonObject | null): void {
    if (!FRAMES.hasSubscribers) return;
    const { agent, version } = this.#client;
    const frame: StandinFrame = { generation: this.#around.world.generation, version, agent, request, sent };
    FRAMES.publish(frame);
  }

  /** The front proxy cuts a socket the server has sent nothing on for a while. */
  #restartIdle(): void {
    if (this.#idle !== undefined) this.#idle.refresh();
    else this.#idle = setTimeout(() => this.drop(), this.#around.limits.idleMs).unref();
  }
}

async function awaitOutcome(job: JobRecord): Promise<Json> {
  await job.ended;
  if (job.state === "SUCCESS") return job.result;
  throw job.failure ?? createUnexpectedError("CancelledError", "Job was aborted");
}
