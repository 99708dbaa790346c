/** The session of one run with the script io: open while something is asked of it, closed while only persons are waited for. */
import type { Mask } from "../../src/core/report/mask.ts";
import type { AuditRecord, RunRequest, ScriptHost, ScriptIo, ScriptIoSession } from "../contract.ts";
import type { RunLimits } from "../limits.ts";
import type { ParentOp } from "../protocol/ops.ts";
import { type AskAnswer, answerAsk } from "./asks.ts";
import { toWireError } from "./calls.ts";
import { Databases } from "./databases.ts";
import type { Quotas } from "./quotas.ts";

export interface RunSessionParts {
  readonly scriptIo: ScriptIo;
  readonly request: Pick<RunRequest, "network" | "mounts">;
  readonly limits: RunLimits;
  readonly quotas: Quotas;
  readonly mask: Mask;
  readonly scriptHost: Pick<ScriptHost, "audit">;
}

export class RunSession {
  readonly databases = new Databases();
  readonly #parts: RunSessionParts;
  #session: ScriptIoSession | null = null;

  constructor(parts: RunSessionParts) {
    this.#parts = parts;
  }

  /** The session, opened where there is none. */
  open(): ScriptIoSession {
    const { scriptIo, request, limits, scriptHost } = this.#parts;
    const { network, mounts } = request;
    this.#session ??= scriptIo.open({
      network,
      mounts,
      audit: (record) => scriptHost.audit(this.#maskRecord(record)),
      limits,
    });
    return this.#session;
  }

  /** Answers a question of the isolate; a session that throws, which it must not, shows as an Error of the script. */
  async answer(op: ParentOp): Promise<AskAnswer> {
    try {
      return await answerAsk(op, this.open(), this.databases, this.#parts.quotas);
    } catch (error) {
      return { line: JSON.stringify({ error: toWireError(error) }) };
    }
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.databases.leave();
    // a session that throws, which it must not, would leave the run without an outcome
    await session?.close().catch(() => undefined);
  }

  #maskRecord(record: AuditRecord): AuditRecord {
    const { mask } = this.#parts;
    const { target, reason } = record;
    return { ...record, target: mask(target), ...(reason !== undefined && { reason: mask(reason) }) };
  }
}
