/** A provider of sign-ins by code, on loopback. */
import { startLoopbackServer } from "../../support/host/loopback-server.ts";

export interface Provider {
  readonly url: string;
  /** Whether somebody has agreed there; what it gives then; and how many seconds a code is good for. */
  readonly account: { agreed: boolean; token: string; expiresIn: number };
  close(): Promise<void>;
}

export async function startProvider(): Promise<Provider> {
  const account = { agreed: false, token: "token-of-the-account", expiresIn: 900 };
  const { url, close } = await startLoopbackServer(({ method }, response) => {
    const answer =
      method === "POST"
        ? { code: "K7W4", expiresIn: account.expiresIn }
        : { authToken: account.agreed ? account.token : null };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: 7, ...answer }));
  });
  return { url, account, close };
}
