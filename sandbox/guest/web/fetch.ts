/** `fetch` (Fetch standard, section 5.6): one call of the boundary, settled with the whole response. */
import { type FetchAnswer, REQUEST_LIMITS } from "../../protocol/ops.ts";
import { request as callOut, forget, send } from "../bridge/bridge.ts";
import { readBody } from "./body.ts";
import { addAbortAction } from "./events/abort.ts";
import { listHeaders } from "./headers.ts";
import { Request, readRequestState } from "./request.ts";
import { createResponse, type Response } from "./response.ts";
import { toExactBuffer } from "./webidl.ts";

/**
 * Sends a request. One whose body is known leaves before `fetch` returns, so that calls nobody awaits keep their order;
 * one with a stream as body leaves when the stream has ended.
 */
export function fetch(...args: readonly [input: unknown, init?: unknown]): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { method, url, headers, body, signal, enums } = readRequestState(new Request(...args));
    if (signal.aborted) throw signal.reason;
    if (!/^https?:/.test(url.href)) {
      throw new TypeError(`fetch failed: the scheme "${url.protocol}" is not offered, allowed are http: and https:`);
    }
    const sent = listHeaders(headers);
    requireRoom(url.href, sent);
    const transmit = (bytes: Uint8Array<ArrayBuffer> | undefined) => {
      if (signal.aborted) return;
      const id = callOut(
        {
          op: "fetch",
          method,
          url: url.href,
          headers: sent,
          redirect: enums.redirect as "follow" | "manual" | "error",
          hasBody: bytes !== undefined,
        },
        {
          fulfil: (answer, responseBody) => {
            unsubscribe();
            resolve(createResponse(answer as unknown as FetchAnswer, responseBody, method));
          },
          reject: (error) => {
            unsubscribe();
            reject(error);
          },
        },
        bytes === undefined ? undefined : toExactBuffer(bytes),
      );
      const unsubscribe = addAbortAction(signal, () => {
        forget(id);
        send({ op: "fetch.abort", id });
      });
    };
    addAbortAction(signal, () => reject(signal.reason));
    if (body === null) {
      transmit(undefined);
      return;
    }
    const bytes = readBody(body);
    if (bytes instanceof Promise) bytes.then(transmit).catch(reject);
    else transmit(bytes);
  });
}
Object.defineProperty(fetch, "length", { value: 1, configurable: true });

/** Throws where a request says more than one may, its body aside. */
export function requireRoom(href: string, headers: readonly (readonly [string, string])[]): void {
  const { url, headers: count, headerText } = REQUEST_LIMITS;
  if (href.length > url) throw new TypeError(`fetch failed: the URL has more than ${url} characters`);
  if (headers.length > count) throw new TypeError(`fetch failed: more than ${count} headers`);
  let length = 0;
  for (const [name, value] of headers) length += name.length + value.length;
  if (length > headerText) throw new TypeError(`fetch failed: the headers have more than ${headerText} characters`);
}
