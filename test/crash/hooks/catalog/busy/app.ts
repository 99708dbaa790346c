import type { HookContext } from "slipway/hook-api";

/** What the app does beside answering: waits, breaks off, or has another status. */
interface Wish {
  readonly ms?: number;
  readonly status?: number;
  readonly cut?: boolean;
}

export interface Answer {
  readonly name: string;
  readonly body: string;
}

/** One request; `name` is its own in the whole run, so that the app can tell a second sending from another call. */
export async function call(
  ctx: HookContext,
  method: string,
  name: string,
  body?: unknown,
  { ms = 12, status = 200, cut = false }: Wish = {},
  signal?: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({ ms: String(ms), status: String(status), ...(cut && { cut: "1" }) });
  return fetch(`${ctx.baseUrl}/calls/${name}?${query}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
}

/** The same, for those that are answered with what was sent. */
export async function ask(...request: Parameters<typeof call>): Promise<Answer> {
  return (await call(...request)).json<Answer>();
}
