import type { HookContext } from "slipway/hook-api";

export async function setSavePath(ctx: HookContext) {
  const origin = new URL(ctx.baseUrl).origin;
  const login = await fetch(`${ctx.baseUrl}/api/v2/auth/login`, {
    method: "POST",
    headers: { Referer: origin, Origin: origin },
    body: new URLSearchParams({ username: ctx.getInput("user"), password: ctx.getInput("password") }),
  });
  if ((await login.text()) !== "Ok.") ctx.fail("The app refused user name or password", [{ label: "status", value: login.status }]);
  const cookie = login.headers.get("set-cookie")?.split(";")[0];
  if (!cookie) ctx.fail("The app sent no session");
  const body = new URLSearchParams();
  body.set("json", JSON.stringify({ save_path: "/downloads", temp_path_enabled: false }));
  const saved = await fetch(`${ctx.baseUrl}/api/v2/app/setPreferences`, {
    method: "POST",
    headers: { Cookie: cookie, Referer: origin },
    body,
  });
  if (!saved.ok) throw new Error(`setPreferences answered ${saved.status}`);
  await fetch(`${ctx.baseUrl}/api/v2/auth/logout`, { method: "POST", headers: { Cookie: cookie } });
}
