import type { HookContext } from "slipway/hook-api";

export async function requestJson<T>(ctx: HookContext, path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${ctx.baseUrl}${path}`, {
    ...init,
    headers: { Accept: "application/json", ...(init.headers as Record<string, string> | undefined) },
  });
  if (!response.ok) {
    ctx.fail(`${init.method ?? "GET"} ${path} answered ${response.status}`, [
      { label: "status", value: `${response.status} ${response.statusText}` },
      { label: "body", value: (await response.text()).slice(0, 200) },
    ]);
  }
  return (await response.json()) as T;
}

export const sendJson = <T>(ctx: HookContext, method: string, path: string, body: unknown, headers = {}): Promise<T> =>
  requestJson<T>(ctx, path, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...headers } });
