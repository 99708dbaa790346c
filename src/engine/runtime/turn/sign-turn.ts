import type { Deed } from "../../audit/deed.ts";
import type { TaskRow } from "../../ports/store-rows.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";

/** The rows of the turn somebody made of this task: its log names them, and where it was taken the deed is kept. */
export function signTurn(rows: TurnRows, row: TaskRow, deed: Deed | undefined, isTaken = true): TurnRows {
  if (deed === undefined) return rows;
  const log = rows.log.map((entry) => ({ ...entry, actor: deed.actor }));
  if (!isTaken) return { ...rows, log };
  return { ...rows, log, audit: { ...deed, at: rows.at, appId: row.appId, taskId: row.id, refused: null } };
}
