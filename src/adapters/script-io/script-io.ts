/** The effects of scripts, performed for real: network under policy, files of the mounts, SQLite on copies. */
import type { Answered, AuditRecord, ScriptIo, ScriptIoScope } from "../../../sandbox/contract.ts";
import { HeldBytes } from "../network-policy/held-bytes.ts";
import { type NetworkPorts, openNetwork, SYSTEM_NETWORK } from "../network-policy/open-network.ts";
import { listMountDirectory, readMountFile, statMountPath } from "./mount-files.ts";
import { SqliteSession } from "./sqlite-query.ts";

export interface ScriptIoOptions {
  /** The host's LAN address may be a loopback one: a stand-in, or development. Default: never. */
  readonly loopback?: boolean;
  /** Stands in for the resolver and interfaces of the system in tests. */
  readonly network?: NetworkPorts;
}

/** Makes the real outside. */
export function createScriptIo({ loopback = false, network = SYSTEM_NETWORK }: ScriptIoOptions = {}): ScriptIo {
  const heldBytes = new HeldBytes();
  return {
    open: ({ network: policy, mounts, limits, audit }: ScriptIoScope) => {
      const held = heldBytes.openRun();
      const exchanges = openNetwork({ policy, loopback, responseBytes: limits.responseBytes, held, audit }, network);
      const databases = new SqliteSession(mounts);
      /** Of the open databases, by handle. */
      const paths = new Map<number, string>();
      const auditEffect = async <T>(
        kind: AuditRecord["kind"],
        method: string,
        target: string,
        effect: Promise<Answered<T>>,
      ): Promise<Answered<T>> => {
        const answer = await effect;
        if ("ok" in answer) audit({ kind, method, target, allowed: true });
        else {
          const { code = answer.error.name, refused } = answer.error;
          audit({ kind, method, target, allowed: refused !== true, reason: code });
        }
        return answer;
      };
      return {
        fetch: exchanges.fetch,
        readFile: (path) => auditEffect("file", "read", path, readMountFile(mounts, path, limits)),
        list: (path) => auditEffect("file", "list", path, listMountDirectory(mounts, path, limits)),
        stat: (path) => auditEffect("file", "stat", path, statMountPath(mounts, path)),
        openDatabase: async (path) => {
          const answer = await auditEffect("sqlite", "open", path, databases.openDatabase(path));
          if ("ok" in answer) paths.set(answer.ok, path);
          return answer;
        },
        query: (query) =>
          auditEffect("sqlite", "query", paths.get(query.db) ?? "a closed database", databases.query(query)),
        closeDatabase: (db) => {
          paths.delete(db);
          return databases.closeDatabase(db);
        },
        close: async () => {
          await Promise.all([exchanges.close(), databases.close()]);
        },
      };
    },
  };
}
