import { Database } from "bun:sqlite";
import type { HookContext } from "slipway/hook-api";

interface User {
  id: number;
  name: string;
  avatar: Uint8Array | null;
}

export async function listUsers(ctx: HookContext) {
  using db = new Database(`${ctx.mounts[0]!.localPath}/users.db`, { readonly: true });
  const admins = db.query<User>("SELECT id, name, avatar FROM users WHERE role = $role ORDER BY id").all({ $role: "admin" });
  const [[count]] = db.query("SELECT count(*) FROM users").values() as [[number]];
  let refused = "";
  try {
    db.query("DELETE FROM users").all();
  } catch (error) {
    refused = error instanceof Error ? error.name : "";
  }
  return { count, admins: admins.map(({ name, avatar }) => ({ name, bytes: avatar?.length ?? 0 })), refused };
}
