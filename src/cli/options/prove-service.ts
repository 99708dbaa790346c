/** The bearer token for a running service, which goes over no connection before the service has proven on it who it is. */
import { randomBytes } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { z } from "zod";
import { readLockOwner } from "../../adapters/store-sqlite/opening/lock.ts";
import { EngineError, isEngineError } from "../../core/codes/problems.ts";
import { IDENTITY_ROUTE, isProof, proveIdentity } from "../../http/identity.ts";
import { findToken } from "./api-token.ts";
import { parseJson } from "./parse-json.ts";

export interface ServiceOptions {
  /** Address of the service. */
  readonly api: string;
  /** Database whose lock the service holds; null when none is named. */
  readonly db: string | null;
  readonly tokenFile?: string;
}

/** What is sent to a service. */
export interface SentRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request to a service, with the token if there is one. Throws `CLI_SERVICE_UNPROVEN`, `CLI_API_FAILED`. */
export type Send = (url: string, sent: SentRequest) => Promise<Response>;

/** Ms a service has to prove itself. */
const TIMEOUT_MS = 10_000;
const TOO_MANY_REQUESTS = 429;
/** Bytes of a challenge. */
const CHALLENGE_BYTES = 32;
/** Most characters of a proof's answer. */
const ANSWER_LIMIT = 64 * 1024;
const Answer = z.object({ proof: z.string() });

/**
 * Makes the function that sends requests to a service. By https the certificate proves the service. By http it must prove,
 * on each connection before the token goes over it, that it holds the lock of the database: another process may have taken
 * its port. Throws what `readToken` throws.
 */
export function createSend(options: ServiceOptions): Send {
  const token = findToken(options);
  const { api } = options;
  const isProven = token !== null && URL.parse(api)?.protocol === "http:";
  return async (url, sent) => {
    const headers = { ...sent.headers, ...(token !== null && { authorization: `Bearer ${token}` }) };
    try {
      return await (isProven
        ? sendProven(new URL(url), { ...sent, headers }, options)
        : fetch(url, { ...sent, headers }));
    } catch (error) {
      if (isEngineError(error)) throw error;
      throw new EngineError("CLI_API_FAILED", `"${api}" can't be reached`, { api }, error);
    }
  };
}

/** An agent of one connection: a request that finds it closed fails, and opens no other. */
class OneConnection extends Agent {
  #isOpened = false;

  constructor() {
    super({ keepAlive: true, maxSockets: 1 });
  }

  override createConnection(...[options, callback]: Parameters<Agent["createConnection"]>) {
    if (this.#isOpened) {
      // The agent also asks when a connection closes: nothing catches an error thrown there.
      callback?.(new Error("the service closed the connection on which it had proven itself"), new Socket());
      return;
    }
    this.#isOpened = true;
    return super.createConnection(options, callback);
  }
}

async function sendProven(url: URL, sent: SentRequest, options: ServiceOptions): Promise<Response> {
  const agent = new OneConnection();
  try {
    await requireProof(url, agent, options);
    const response = await ask(url, agent, sent);
    response.once("close", () => agent.destroy());
    const { statusCode: status = 502 } = response;
    const isEmpty = status === 204 || status === 304 || sent.method === "HEAD";
    if (isEmpty) response.resume();
    return new Response(isEmpty ? null : Readable.toWeb(response), { status, headers: readHeaders(response) });
  } catch (error) {
    agent.destroy();
    throw error;
  }
}

async function requireProof(url: URL, agent: Agent, { api, db }: ServiceOptions): Promise<void> {
  const refuse = (fault: string) =>
    new EngineError("CLI_SERVICE_UNPROVEN", `"${api}" gets no token: ${fault}`, { api });
  if (db === null) throw refuse("no database is named, by whose lock it could prove who it is");
  const owner = readLockOwner(db);
  if (owner === null) throw refuse(`no process of this user has the database "${db}" open`);
  const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
  const address = new URL(`/api${IDENTITY_ROUTE}?challenge=${challenge}`, url);
  const response = await ask(address, agent, { method: "GET", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.statusCode === TOO_MANY_REQUESTS) {
    throw new EngineError("CLI_API_FAILED", `"${api}" accepts no more requests for its proof now`, { api });
  }
  const { remoteAddress = "", remotePort = 0 } = response.socket;
  const expected = proveIdentity(owner.nonce, challenge, { address: remoteAddress, port: remotePort });
  const answer = Answer.safeParse(parseJson(await readShort(response)));
  if (answer.success && isProof(answer.data.proof, expected)) return;
  throw refuse(`it does not prove that it is process ${owner.pid}, which has "${db}" open`);
}

async function readShort(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk;
    if (text.length > ANSWER_LIMIT) throw new Error("the answer is too long");
  }
  return text;
}

function ask(url: URL, agent: Agent, { method, headers, body, signal }: SentRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, method, ...(headers && { headers }), ...(signal && { signal }) }, resolve);
    asking.on("error", reject);
    asking.end(body);
  });
}

function readHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}
