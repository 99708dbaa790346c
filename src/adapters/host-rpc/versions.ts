/** Which version of the API to speak, and what differs between releases (docs/host-api.md, section 12). */
import { z } from "zod";
import { HostError } from "../../engine/host-error.ts";
import { readHost, readPort } from "../url-parts.ts";
import { createFault } from "./faults.ts";
import { connectTls, type HostTls, isTrustError } from "./tls.ts";

/** Releases whose differences are known here, the newest last. */
const RELEASES = ["25.04", "25.10", "26.0", "27.0"] as const;
/** A release of the host. */
export type Release = (typeof RELEASES)[number];

/** The version of the API a connection is pinned to. */
export interface ApiVersion {
  /** As it stands in the address, e.g. `v25.10.5`. */
  readonly name: string;
  readonly release: Release;
}

/** The highest version of a release known here, or null. */
export function pinVersion(offered: readonly string[]): ApiVersion | null {
  const known = offered.flatMap((name) => {
    const release = findRelease(name);
    return release === null ? [] : [{ name, release }];
  });
  return known.toSorted((a, b) => compareVersions(a.name, b.name)).at(-1) ?? null;
}

/** The release a version name such as `v25.10.5` belongs to, or null for one unknown here. */
export function findRelease(name: string): Release | null {
  return RELEASES.find((release) => name === `v${release}` || name.startsWith(`v${release}.`)) ?? null;
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [readNumbers(a), readNumbers(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function readNumbers(name: string): number[] {
  return (name.match(/\d+/g) ?? []).map(Number);
}

/** Asks `GET /api/versions`. Rejects with a `HostError`, delivery `no`. `url` is the socket's. */
export async function askOfferedVersions(url: URL, tls: HostTls | undefined, signal: AbortSignal): Promise<string[]> {
  const secure = url.protocol === "wss:";
  const address = new URL("/api/versions", url);
  address.protocol = secure ? "https:" : "http:";
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const options = { signal, headers: { accept: "application/json" } };
  // Not at the top: either loads all of Node's HTTP, which whoever imports the engine would wait for.
  const asked = secure
    ? (await import("node:https")).request(address, {
        ...options,
        createConnection: () => connectTls(tls, { host: readHost(address), port: readPort(address) }),
      })
    : (await import("node:http")).request(address, { ...options, agent: false });
  asked.on("error", reject);
  asked.on("response", async (response) => {
    try {
      let body = "";
      for await (const chunk of response.setEncoding("utf8")) body += chunk;
      if (response.statusCode === 200) resolve(body);
      else if (isSentToPages(address, response.statusCode, response.headers.location)) resolve(null);
      else reject(new Error(`GET /api/versions answers ${response.statusCode}`));
    } catch (error) {
      reject(error);
    }
  });
  asked.end();
  const body = await promise.catch((error: unknown) => {
    throw connectError(url, error);
  });
  if (body === null) throw createUnsupported(`"${url.host}" has no JSON-RPC API, as release 24.10 and older ones`);
  const versions = VersionList.safeParse(body);
  if (versions.success) return versions.data;
  throw createUnsupported(`"${url.host}" does not list the versions of its API`);
}

/** Before 25.04 every address the host does not know leads to its pages. */
function isSentToPages(address: URL, status = 0, location = ""): boolean {
  const target = status >= 300 && status < 400 ? URL.parse(location, address.href) : null;
  return target !== null && target.host === address.host && target.pathname.startsWith("/ui");
}

function createUnsupported(words: string): HostError {
  const supported = `supported are releases ${RELEASES.join(", ")}`;
  return new HostError(createFault("HOST_VERSION_UNSUPPORTED", `${words}; ${supported}`, false), "no");
}

const VersionList = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("not JSON");
      return z.NEVER;
    }
  })
  .pipe(z.array(z.string()));

/** A connection that could not be made, as a fault: the certificate, or the address. */
export function connectError(url: URL, cause: unknown): HostError {
  const words =
    cause instanceof Error ? cause.message || String(Reflect.get(cause, "code") ?? cause.name) : String(cause);
  const fault = isTrustError(cause)
    ? createFault("HOST_TLS_UNTRUSTED", `the certificate of "${url.host}" is not trusted: ${words}`, false)
    : createFault("HOST_UNREACHABLE", `"${url.host}" cannot be reached: ${words}`, true);
  return new HostError(fault, "no", cause);
}

/**
 * The API version a connection speaks. A URL that names a version is taken at its word; otherwise the host is asked
 * at every connection. Throws `HOST_VERSION_UNSUPPORTED` where none it offers is known.
 */
export async function findVersion(url: URL, tls: HostTls | undefined, signal: AbortSignal): Promise<ApiVersion> {
  const named = url.pathname.split("/").at(-1) ?? "";
  const release = findRelease(named);
  if (release !== null) return { name: named, release };
  const offered = await askOfferedVersions(url, tls, signal);
  const version = pinVersion(offered);
  if (version !== null) return version;
  throw createUnsupported(`"${url.host}" offers the API versions "${offered.join(", ")}", all unknown here`);
}
