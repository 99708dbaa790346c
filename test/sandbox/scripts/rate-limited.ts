import type { HookContext } from "slipway/hook-api";

async function politely(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url);
    if (response.status !== 429) return response;
    const seconds = Number(response.headers.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

export async function refreshAll({ baseUrl }: HookContext) {
  const ids = (await (await fetch(`${baseUrl}/shows`)).json<{ id: number }[]>()).map(({ id }) => id);
  const pages = await Promise.all(ids.map(async (id) => (await politely(`${baseUrl}/shows/${id}/refresh`)).text()));
  return Object.fromEntries(ids.map((id, index) => [id, pages[index]]));
}
