/**
 * Proof that a server belongs to the process that owns a database. A client that read the nonce in the database's lock file
 * asks for the proof before it sends its bearer token: another process may have taken the server's port.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { nameAddress } from "./client-address.ts";

/** An end of a connection. */
export interface End {
  readonly address: string;
  readonly port: number;
}

/** Route of the proof, below `/api`. */
export const IDENTITY_ROUTE = "/identity";
/** Characters of a challenge. */
export const CHALLENGE = /^[\w-]{22,64}$/;

/** The proof, base64url. It names the server's end of the connection, so that no other port can pass it on as its own. */
export function proveIdentity(nonce: string, challenge: string, { address, port }: End): string {
  return createHmac("sha256", nonce)
    .update(`${challenge} ${nameAddress(address)} ${port}`)
    .digest("base64url");
}

/** Whether a proof is right; compared in constant time. */
export function isProof(proof: string, expected: string): boolean {
  const [given, right] = [Buffer.from(proof), Buffer.from(expected)];
  return given.length === right.length && timingSafeEqual(given, right);
}
