/** Answers what the isolate waits for in the middle of a delivery: files, SQLite, random bytes. */
import { randomBytes } from "node:crypto";
import type { Answered, ScriptIoSession } from "../contract.ts";
import type { ParentOp } from "../protocol/ops.ts";
import type { Databases } from "./databases.ts";
import type { Quotas } from "./quotas.ts";

/** The first line of an `Answer`, and the bytes that follow it. */
export interface AskAnswer {
  readonly line: string;
  readonly body?: { readonly encoding: "latin1" | "utf8"; readonly bytes: Uint8Array };
}

/** Answers one question; a value past its limit also ends the run. */
export async function answerAsk(
  op: ParentOp,
  session: ScriptIoSession,
  databases: Databases,
  quotas: Quotas,
): Promise<AskAnswer> {
  switch (op.op) {
    case "random":
      return { line: BYTES_FOLLOW, body: { encoding: "latin1", bytes: randomBytes(op.bytes) } };
    case "fs.read": {
      const answer = await session.readFile(op.path);
      if ("error" in answer) return writeLine(answer, quotas);
      quotas.use("fileBytes", answer.ok.byteLength);
      return { line: BYTES_FOLLOW, body: { encoding: op.encoding ?? "latin1", bytes: answer.ok } };
    }
    case "fs.list":
      return writeLine(await session.list(op.path), quotas);
    case "fs.stat":
      return writeLine(await session.stat(op.path), quotas);
    case "sqlite.open":
      return writeLine(await databases.open(session, op.path), quotas);
    case "sqlite.query":
      return writeLine(await databases.query(session, op), quotas);
    case "sqlite.close":
      return writeLine(await databases.close(session, op.db), quotas);
  }
}

const BYTES_FOLLOW = '{"ok":{}}';

function writeLine(answer: Answered<unknown>, quotas: Quotas): AskAnswer {
  if ("error" in answer) quotas.passed(answer.error);
  return { line: JSON.stringify(answer) };
}
