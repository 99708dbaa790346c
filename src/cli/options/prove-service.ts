/** The bearer token for a running service, handed out once the service has proven who it is. */
import { randomBytes } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { z } from "zod";
import { readLockOwner } from "../../adapters/store-sqlite/opening/lock.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { IDENTITY_ROUTE, isProof, proveIdentity } from "../../http/identity.ts";
import { parseJson } from "./api-tasks.ts";
import { findToken } from "./api-token.ts";

export interface ServiceOptions {
  /** Address of the service. */
  readonly api: string;
  /** Database whose lock file the service owns. */
  readonly db: string;
  readonly tokenFile?: string;
}

/** Ms a service has to answer. */
const TIMEOUT_MS = 10_000;
/** Bytes of a challenge. */
const CHALLENGE_BYTES = 32;
const Answer = z.object({ proof: z.string() });

/**
 * The token to send to a service; null where there is none. By https the certificate proves the service. By http it must
 * prove that it owns the database: another process may have taken its port. Throws `CLI_SERVICE_UNPROVEN`, `CLI_API_FAILED`
 * when nobody answers, and what `readToken` throws.
 */
export async function findTokenForService(options: ServiceOptions): Promise<string | null> {
  const token = findToken(options);
  const url = URL.parse(options.api);
  if (token !== null && url?.protocol === "http:") await requireProof(url, options);
  return token;
}

async function requireProof(url: URL, { api, db }: ServiceOptions): Promise<void> {
  const refuse = (fault: string) =>
    new EngineError("CLI_SERVICE_UNPROVEN", `"${api}" gets no token: ${fault}`, { api });
  const owner = readLockOwner(db);
  if (owner === null) throw refuse(`no process has opened the database "${db}"`);
  const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
  const address = new URL(`/api${IDENTITY_ROUTE}?challenge=${challenge}`, url);
  const { response, text } = await ask(address).catch((error: unknown) => {
    throw new EngineError("CLI_API_FAILED", `"${api}" can't be reached`, { api }, error);
  });
  const { remoteAddress = "", remotePort = 0 } = response.socket;
  const expected = proveIdentity(owner.nonce, challenge, { address: remoteAddress, port: remotePort });
  const answer = Answer.safeParse(parseJson(text));
  if (answer.success && isProof(answer.data.proof, expected)) return;
  throw refuse(`it does not prove that it is process ${owner.pid}, which opened "${db}" last`);
}

/** Most bytes of an answer. */
const ANSWER_LIMIT = 64 * 1024;

function ask(address: URL): Promise<{ readonly response: IncomingMessage; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = get(address, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, async (response) => {
      try {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) {
          text += chunk;
          if (text.length > ANSWER_LIMIT) throw new Error("the answer is too long");
        }
        resolve({ response, text });
      } catch (error) {
        request.destroy();
        reject(error);
      }
    });
    request.on("error", reject);
  });
}
