import { z } from "zod";
import type { Code } from "../../core/codes/code.ts";
import { createMask } from "../../core/report/mask.ts";
import { toPlainMasked } from "../../core/report/plain-words.ts";
import { HostError } from "../../engine/host-error.ts";
import type { Connection } from "./connection.ts";
import { createFault } from "./faults.ts";
import type { SessionMethod } from "./host-calls.ts";

/** Name and key of an account on the host. */
export interface Credentials {
  readonly username: string;
  /** `<id>-<secret>`. */
  readonly apiKey: string;
}

/** A login is always answered with a result, also a refused one (docs/host-api.md, section 2). */
const LoginAnswer = z.object({ response_type: z.string() });

/** Meanings of the answers but SUCCESS; newer hosts add some (`DENIED` in 26.0). */
const REFUSALS: Readonly<Record<string, { readonly code: Code; readonly words: string }>> = {
  AUTH_ERR: { code: "HOST_AUTH_FAILED", words: "the host does not accept this user name and API key" },
  DENIED: { code: "HOST_AUTH_FAILED", words: "the host denies this account the login" },
  OTP_REQUIRED: {
    code: "HOST_AUTH_FAILED",
    words: "the host asks for a one-time password, which an API key cannot give",
  },
  REDIRECT: { code: "HOST_AUTH_FAILED", words: "the host sends the login to another controller" },
  EXPIRED: { code: "HOST_KEY_EXPIRED", words: "the API key has expired or was revoked" },
};

/**
 * Logs a connection in, asks for job ids as answers to job calls, and subscribes to the jobs. Calls go out one by one:
 * nothing but the login itself may be sent before it is answered. Rejects with a `HostError`, delivery `no`.
 */
export async function logIn(
  connection: Connection,
  { username, apiKey }: Credentials,
  newId: () => string,
  timeoutMs: number,
): Promise<void> {
  const call = (method: SessionMethod, params: Parameters<Connection["call"]>[0]["params"]) =>
    connection.call({ id: newId(), method, params, timeoutMs });
  const credentials = { mechanism: "API_KEY_PLAIN", username, api_key: apiKey };
  const answer = LoginAnswer.safeParse(await call("auth.login_ex", [credentials]).catch(refuseMechanism));
  const type = answer.success ? answer.data.response_type : "an answer of unknown form";
  if (type !== "SUCCESS") {
    const { code, words } = REFUSALS[type] ?? {
      code: "HOST_AUTH_FAILED",
      words: `the host answers the login with "${type}"`,
    };
    throw new HostError(createFault(code, `${words} (user "${username}")`, false), "no");
  }
  await call("core.set_options", [{ legacy_jobs: true }]);
  await call("core.subscribe", ["core.get_jobs"]);
}

/** The login is an error only when the mechanism is not allowed, the host is overrun, or the socket broke. */
function refuseMechanism(error: unknown): never {
  if (error instanceof HostError && error.delivery === "yes" && error.code !== "HOST_RATE_LIMITED")
    throw new HostError(createFault("HOST_AUTH_FAILED", error.fault.reason, false), "no", error);
  throw error;
}

/** Hides the API key, whole or without its id, wherever a text repeats it, and leaves out what deceives a reader. */
export function createKeyMask({ apiKey }: Credentials): (text: string) => string {
  const mask = createMask([apiKey, apiKey.slice(apiKey.indexOf("-") + 1)]);
  return (text) => toPlainMasked(text, mask);
}
