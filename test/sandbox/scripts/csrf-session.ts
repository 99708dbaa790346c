import type { HookContext } from "slipway/hook-api";

class Session {
  #cookies = new Map<string, string>();
  constructor(readonly base: string) {}

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("Cookie", Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(new URL(path, this.base), { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(";")[0]!.split("=") as [string, string];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

export async function createLibrary(ctx: HookContext) {
  const session = new Session(ctx.baseUrl);
  const page = await (await session.send("/login")).text();
  const token = page.match(/name="csrf" value="([^"]+)"/)?.[1] ?? ctx.fail("The login page has no form");
  const login = await session.send("/login", {
    method: "POST",
    body: new URLSearchParams({ csrf: token, password: ctx.getInput("password") }),
  });
  if (login.status !== 302) ctx.fail("Wrong password", [{ label: "status", value: login.status }]);
  const created = await session.send(login.headers.get("location")!, { method: "POST", headers: { "X-CSRF": token } });
  return { status: created.status, location: login.headers.get("location") };
}
