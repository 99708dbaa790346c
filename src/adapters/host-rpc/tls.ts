import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

/**
 * How a host's certificate is trusted, besides the system's authorities: by a CA (PEM), by the SHA-256 fingerprint of
 * its certificate (hex, colons allowed), or not at all.
 */
export type HostTls = { readonly ca: string } | { readonly fingerprint: string } | { readonly insecure: true };

/** Why nothing could ever be trusted by this, or null: a fingerprint that is none, a CA that is no PEM certificate. */
export function trustFault(trust: HostTls): string | null {
  if ("fingerprint" in trust) {
    if (/^[\da-f]{64}$/.test(stripFingerprint(trust.fingerprint))) return null;
    return `"${trust.fingerprint}" is not a SHA-256 fingerprint, which has 64 hex digits`;
  }
  if (!("ca" in trust)) return null;
  try {
    new X509Certificate(trust.ca);
    return null;
  } catch {
    return "the CA given is not a certificate in PEM form";
  }
}

/** Opens a TLS socket that is destroyed with an error, before anything is read, when the fingerprint differs. */
export function connectTls(trust: HostTls | undefined, options: ConnectionOptions): TLSSocket {
  const servername = options.host === undefined || isIP(options.host) !== 0 ? "" : options.host;
  if (trust === undefined) return connect({ ...options, servername });
  if ("ca" in trust) return connect({ ...options, servername, ca: trust.ca });
  const socket = connect({ ...options, servername, rejectUnauthorized: false });
  if ("fingerprint" in trust) {
    const expected = stripFingerprint(trust.fingerprint);
    socket.prependOnceListener("secureConnect", () => {
      const shown = socket.getPeerCertificate().fingerprint256;
      if (stripFingerprint(shown ?? "") !== expected) socket.destroy(new FingerprintError(shown ?? "none"));
    });
  }
  return socket;
}

/** The host showed another certificate than the one that is trusted. */
class FingerprintError extends Error {
  readonly code = "FINGERPRINT_MISMATCH";

  constructor(shown: string) {
    super(`the host's certificate has the SHA-256 fingerprint "${shown}", which is not the one given`);
  }
}

/** Whether a connection failed because the certificate is not trusted, by Node's error codes. */
export function isTrustError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    typeof code === "string" &&
    /^(FINGERPRINT_MISMATCH|CERT_|ERR_TLS_CERT|.*SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(code)
  );
}

function stripFingerprint(text: string): string {
  return text.replaceAll(":", "").toLowerCase();
}
