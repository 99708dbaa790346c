/** The effects of scripts, performed for real: network under policy, files of the mounts, SQLite on copies. */
import type {
  Answered,
  AuditRecord,
  ScriptIo,
  ScriptIoQuery,
  ScriptIoReply,
  ScriptIoRequest,
  ScriptIoScope,
  ScriptIoSession,
} from "../../../sandbox/contract.ts";
import type { FileEntry, FileStat, SqliteRows } from "../../../sandbox/protocol/ops.ts";
import { type NetworkPorts, SYSTEM_NETWORK } from "../network-policy/decide-hop.ts";
import { HeldBytes, type RunBytes } from "../network-policy/held-bytes.ts";
import { type NetworkSession, openNetwork } from "../network-policy/open-network.ts";
import { CopiedBytes, type CopyBudget } from "./copied-bytes.ts";
import { listMountDirectory, readMountFile, statMountPath } from "./mount-files.ts";
import { SqliteSession } from "./sqlite-query.ts";

export interface ScriptIoOptions {
  /** The host's LAN address may be a loopback one: a stand-in, or development. Default: never. */
  readonly loopback?: boolean;
  /** Stands in for the resolver and interfaces of the system in tests. */
  readonly network?: NetworkPorts;
}

/** Makes the script-io that really acts. */
export function createScriptIo({ loopback = false, network = SYSTEM_NETWORK }: ScriptIoOptions = {}): ScriptIo {
  const heldBytes = new HeldBytes();
  const copiedBytes = new CopiedBytes();
  return {
    open: (scope) => {
      const budget = copiedBytes.openRun(scope.limits.databaseBytes);
      return new RunIo(scope, { held: heldBytes.openRun(), budget }, loopback, network);
    },
  };
}

/** The memory and disk one run may use. */
interface RunBudgets {
  readonly held: RunBytes;
  readonly budget: CopyBudget;
}

/** Script-io of one run. */
class RunIo implements ScriptIoSession {
  readonly #scope: ScriptIoScope;
  readonly #exchanges: NetworkSession;
  readonly #databases: SqliteSession;
  /** Of the open databases, by handle. */
  readonly #paths = new Map<number, string>();

  constructor(scope: ScriptIoScope, { held, budget }: RunBudgets, loopback: boolean, network: NetworkPorts) {
    const { network: policy, mounts, limits, audit } = scope;
    this.#scope = scope;
    this.#exchanges = openNetwork({ policy, loopback, responseBytes: limits.responseBytes, held, audit }, network);
    this.#databases = new SqliteSession(mounts, budget);
  }

  fetch(request: ScriptIoRequest, signal: AbortSignal): Promise<Answered<ScriptIoReply>> {
    return this.#exchanges.fetch(request, signal);
  }

  readFile(path: string): Promise<Answered<Uint8Array>> {
    const { mounts, limits } = this.#scope;
    return this.#auditEffect("file", "read", path, readMountFile(mounts, path, limits));
  }

  list(path: string): Promise<Answered<readonly FileEntry[]>> {
    const { mounts, limits } = this.#scope;
    return this.#auditEffect("file", "list", path, listMountDirectory(mounts, path, limits));
  }

  stat(path: string): Promise<Answered<FileStat>> {
    return this.#auditEffect("file", "stat", path, statMountPath(this.#scope.mounts, path));
  }

  async openDatabase(path: string): Promise<Answered<number>> {
    const answer = await this.#auditEffect("sqlite", "open", path, this.#databases.openDatabase(path));
    if ("ok" in answer) this.#paths.set(answer.ok, path);
    return answer;
  }

  query(query: ScriptIoQuery): Promise<Answered<SqliteRows>> {
    const target = this.#paths.get(query.db) ?? "a closed database";
    return this.#auditEffect("sqlite", "query", target, this.#databases.query(query));
  }

  closeDatabase(db: number): Promise<Answered<null>> {
    this.#paths.delete(db);
    return this.#databases.closeDatabase(db);
  }

  async close(): Promise<void> {
    await Promise.all([this.#exchanges.close(), this.#databases.close()]);
  }

  /** The effect's answer, noted once it is known. */
  async #auditEffect<T>(
    kind: AuditRecord["kind"],
    method: string,
    target: string,
    effect: Promise<Answered<T>>,
  ): Promise<Answered<T>> {
    const answer = await effect;
    if ("ok" in answer) this.#scope.audit({ kind, method, target, allowed: true });
    else {
      const { code = answer.error.name, refused } = answer.error;
      this.#scope.audit({ kind, method, target, allowed: refused !== true, reason: code });
    }
    return answer;
  }
}
