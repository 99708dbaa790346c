import type { HookContext } from "slipway/hook-api";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

export async function setAvatar(ctx: HookContext) {
  const bytes = Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0));
  const put = await fetch(`${ctx.baseUrl}/avatar`, { method: "PUT", headers: { "Content-Type": "image/png" }, body: bytes });
  const back = new Uint8Array(await (await fetch(`${ctx.baseUrl}/avatar`)).arrayBuffer());
  const digest = await crypto.subtle.digest("SHA-256", back);
  return { status: put.status, same: back.length === bytes.length, digest: Buffer.from(digest).toString("hex").slice(0, 8) };
}
