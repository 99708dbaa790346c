/** The process that meets an app's database, as a hostile database that has taken it over would find it. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ScriptIoSession } from "../../../sandbox/contract.ts";
import { isChildUser } from "../../../sandbox/process/users.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
const MOUNT = "/mnt/app";

let folder: string;
let session: ScriptIoSession;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-sqlite-isolation-")));
  await chmod(folder, 0o755);
  vi.stubEnv("TMPDIR", folder);
  for (const [name, mode] of [
    ["plain.db", "DELETE"],
    ["logged.db", "WAL"],
  ]) {
    const database = new DatabaseSync(join(folder, name ?? ""));
    database.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (a); INSERT INTO t VALUES ('kept')`);
    database.close();
  }
  session = createScriptIo().open({
    network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: true },
    mounts: [{ hostPath: MOUNT, containerPath: "/config", localPath: folder, location: folder }],
    audit: () => {},
    limits: { responseBytes: 1024, fileBytes: 1024, databaseBytes: 1024 * 1024, directoryEntries: 100 },
  });
});

afterEach(async () => {
  await session.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a database and answers where its copy lies. */
async function openCopy(name: string): Promise<{ readonly db: number; readonly copy: string }> {
  const opened = await session.openDatabase(`${MOUNT}/${name}`);
  if ("error" in opened) throw new Error(opened.error.message);
  const files = await readdir(folder, { recursive: true });
  const copy = files.find((file) => file.endsWith(`/${opened.ok}.db`));
  if (copy === undefined) throw new Error("the copy is not there");
  return { db: opened.ok, copy: join(folder, copy) };
}

const rowsOf = (db: number) => session.query({ db, sql: "SELECT a FROM t", params: [] });
const kept = { ok: { columns: ["a"], rows: [["kept"]] } };

test("a database with a log and one without are read from copies beside which no file can be made", async () => {
  for (const name of ["plain.db", "logged.db"]) expect(await rowsOf((await openCopy(name)).db)).toEqual(kept);
});

test.each(["PRAGMA database_list", "SELECT * FROM pragma_database_list"])(
  "%s tells no path of the engine",
  async (sql) => {
    const { db } = await openCopy("plain.db");
    const answer = await session.query({ db, sql, params: [] });
    expect(answer).toMatchObject({ error: { name: "SQLiteError" } });
    expect(JSON.stringify(answer)).not.toContain(folder);
  },
);

describe.runIf(process.getuid?.() === 0)("where the engine is root", () => {
  test("the process can put no link where the next copy is written, so no file is overwritten or given away", async () => {
    const victim = join(folder, "victim");
    await writeFile(victim, "the engine's", { mode: 0o600 });
    const { db, copy } = await openCopy("plain.db");
    const { uid } = await stat(copy);
    expect(isChildUser(uid)).toBe(true);
    const next = join(dirname(copy), `${db + 1}.db`);
    const linked = spawnSync("ln", ["-s", victim, next], { uid, gid: uid });
    expect(linked.status).not.toBe(0);
    expect(await rowsOf((await openCopy("plain.db")).db)).toEqual(kept);
    expect(await readFile(victim, "utf8")).toBe("the engine's");
    expect((await stat(victim)).uid).toBe(0);
  });

  test("the process has the isolation of a script's child: user, network, privileges, namespaces, root", async () => {
    const { db, copy } = await openCopy("plain.db");
    const { uid } = await stat(copy);
    const query = session.query({ db, sql: ENDLESS, params: [] });
    await expect.poll(() => processOf(uid)).toBeDefined();
    const pid = processOf(uid);
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(status).toMatch(/^Groups:\t\s*$/m);
    for (const kind of ["net", "ipc", "mnt", "pid", "uts"]) {
      expect(readlinkSync(`/proc/${pid}/ns/${kind}`), kind).not.toBe(readlinkSync(`/proc/self/ns/${kind}`));
    }
    expect(readlinkSync(`/proc/${pid}/root`)).not.toBe("/");
    await session.close();
    await query;
    expect(processOf(uid)).toBeUndefined();
  });
});

/** The process that runs as a user and has come as far as its own program. */
function processOf(uid: number): string | undefined {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .find((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "latin1");
        return status.includes(`\nUid:\t${uid}\t`) && !/^State:\tZ/m.test(status) && isNode(pid);
      } catch {
        return false;
      }
    });
}

function isNode(pid: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(process.execPath);
}
