/** The journal bench's calls: hooks that are pressed, in an engine that keeps journals and in the same one that keeps none. */
import {
  closeSync,
  fdatasyncSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { openDatabase } from "../../../src/adapters/store-sqlite/opening/open-database.ts";
import { createEngineWorld, createTestSandbox, settledTask } from "../../../test/support/engine/engine-world.ts";
import { rawHook } from "../../../test/support/scripts/scripts.ts";
import { computeMedian, createRow, type Measured, measureInterleaved } from "../measure.ts";
import { ANSWER, serveApp } from "./app.ts";

/** Calls of one run: a hook may have 200 checkpoints. */
const CALLS = 160;
/** Longer than a new warm child takes, ms. */
const SPARE_MS = 800;
/** Pages synced, and rows committed, in one block of the disk's own measurement. */
const SYNCS = 50;
/** About what a journal's row takes, in bytes. */
const ROW_BYTES = 600;

interface CallKind {
  readonly name: string;
  /** The script's work between its two marks; `get` awaits a whole answer. */
  readonly work: string;
  readonly target?: string;
}

const IN_TURN = (call: string) => `for (let i = 0; i < ${CALLS}; i++) ${call};`;
const AT_ONCE = (call: string) =>
  `await Promise.all(Array.from({ length: 8 }, async () => { for (let i = 0; i < ${CALLS / 8}; i++) ${call}; }));`;
const SEND = (method: string) => `await get("/200", { method: "${method}", body: "${"b".repeat(200)}" })`;

const KINDS: readonly CallKind[] = [
  { name: "GET of 200 B", work: IN_TURN(`await get("/200")`), target: "+150 us" },
  { name: "GET, 8 at once", work: AT_ONCE(`await get("/200")`), target: "+60 us" },
  { name: "PUT of 200 B", work: IN_TURN(SEND("PUT")), target: "+150 us" },
  { name: "POST of 200 B", work: IN_TURN(SEND("POST")) },
  { name: "POST, 8 at once", work: AT_ONCE(SEND("POST")), target: "+60 us" },
  { name: "setProgress", work: IN_TURN("await ctx.setProgress(i % 100)"), target: "+150 us" },
  { name: "emitCheckpoint", work: IN_TURN('await ctx.emitCheckpoint("c" + i, "Done")'), target: "+150 us" },
  { name: "getInstalledAppUrl", work: IN_TURN('await ctx.getInstalledAppUrl("demo")'), target: "+150 us" },
  { name: "readFileSync of 200 B", work: IN_TURN('readFileSync(ctx.mounts[0].hostPath + "/file")'), target: "+150 us" },
];

/** Us a call of each kind takes with a journal and without one, and the disk's fdatasync beside them. */
export async function benchCalls(blocks: number): Promise<Measured[]> {
  const folder = join(process.cwd(), "node_modules", ".bench-journal");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "mnt/tank/media/data"), { recursive: true });
  writeFileSync(join(folder, "mnt/tank/media/data/file"), ANSWER);
  const app = await serveApp();
  const sandbox = createTestSandbox();
  const kept = { journal: true };
  const world = await createEngineWorld({
    catalog: { demo: makeScript(app.port) },
    host: {
      datasets: ["tank", "tank/media"],
      localRoot: folder,
      facts: { locations: { Media: "/mnt/tank/media" } },
    },
    engine: { sandbox: keepWhere(kept, sandbox) },
    parent: folder,
  });
  const countWrites = () => readJournalWrites(folder);
  const cpu = { without: [] as number[], kept: [] as number[] };
  let commits: number[] = [];
  const press = async (hook: number, journal: "without" | "kept"): Promise<number> => {
    kept.journal = journal === "kept";
    await pause(SPARE_MS);
    const writes = countWrites();
    const { id } = await world.engine.runAction("demo", `hook-${hook}`);
    const { state, failure } = await world.engine.settled(id);
    if (state !== "COMPLETED") throw new Error(`"${KINDS[hook]?.name}" ended ${state}: ${JSON.stringify(failure)}`);
    if (kept.journal) commits.push((countWrites() - writes) / CALLS);
    cpu[journal].push(app.between().cpuUs / CALLS);
    return app.between().us / CALLS;
  };
  try {
    await settledTask(world.engine, (await world.engine.install("demo")).id);
    const rows: Measured[] = [];
    const syncs: number[] = [];
    const bareCommits: number[] = [];
    for (const [at, { name, target }] of KINDS.entries()) {
      const found = await measureInterleaved(blocks, {
        without: () => press(at, "without"),
        kept: () => press(at, "kept"),
        sync: () => syncPages(join(folder, "sync")),
        commit: () => commitRows(join(folder, "commits.db")),
      });
      // the first of each has warmed up
      const [without, journalled] = [cpu.without.splice(0).slice(1), cpu.kept.splice(0).slice(1)];
      const written = commits.slice(1);
      commits = [];
      const ratio = computeMedian(found.kept) / computeMedian(found.without);
      rows.push(
        createRow(`${name}, no journal`, found.without, "us"),
        createRow(`${name}, journalled`, found.kept, "us", { ratio }),
        createRow(`${name}, added`, subtract(found.kept, found.without), "us", target === undefined ? {} : { target }),
        createRow(`${name}, added processor time`, subtract(journalled, without), "us"),
        createRow(`${name}, commits of the journal`, written, "a call"),
      );
      syncs.push(...found.sync);
      bareCommits.push(...found.commit);
    }
    return [
      createRow("fdatasync of one page, meanwhile", syncs, "us"),
      createRow("SQLite's commit of one row, meanwhile", bareCommits, "us"),
      ...rows,
    ];
  } finally {
    await world.close();
    await sandbox.close();
    app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Drops the journal of each run unless it is wanted: the engine is the same, and so is its database. */
function keepWhere(kept: { readonly journal: boolean }, sandbox: Sandbox): Sandbox {
  return {
    ...sandbox,
    run({ journal, ...request }, scriptHost) {
      return sandbox.run({ ...request, ...(kept.journal && journal !== undefined && { journal }) }, scriptHost);
    },
  };
}

function makeScript(port: number): Record<string, unknown> {
  return {
    requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [port] },
    ensure_directories_exists: [{ path: "$LOCATION(Media)/data" }],
    app_values: {
      network: { web_port: { port_number: port } },
      storage: { data: "$MOUNTED_HOST_PATH($LOCATION(Media)/data, /data)" },
    },
    hooks: KINDS.map(({ name, work }, at) =>
      rawHook({
        id: `hook-${at}`,
        title: name,
        entrypoint: "run",
        scriptContent: `import { readFileSync } from "node:fs";
          export async function run(ctx) {
            const get = async (path, init) => (await fetch(ctx.baseUrl + path, init)).arrayBuffer();
            await get("/begin");
            ${work}
            await get("/end");
          }`,
      }),
    ),
  };
}

/** Commits that kept nothing but journals: the witness beside the database counts them. */
function readJournalWrites(folder: string): number {
  const [path] = globSync(join(folder, "*", "*.witness"));
  const { journalWrites }: { journalWrites?: number } =
    path === undefined ? {} : JSON.parse(readFileSync(path, "utf8"));
  if (journalWrites === undefined) throw new Error("no witness stands beside the database");
  return journalWrites;
}

function subtract(all: readonly number[], others: readonly number[]): number[] {
  return all.map((value, at) => value - (others[at] ?? value));
}

/** Us of one write of a page that is synced. */
function syncPages(path: string): number {
  const file = openSync(path, "w");
  const page = Buffer.alloc(4_096);
  const start = performance.now();
  for (let count = 0; count < SYNCS; count += 1) {
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
  }
  const us = ((performance.now() - start) * 1_000) / SYNCS;
  closeSync(file);
  return us;
}

/** Us of one commit of a row to a database with our settings and nothing else to do: no journal on this disk costs less. */
function commitRows(path: string): number {
  const db = openDatabase(path);
  db.exec("CREATE TABLE IF NOT EXISTS rows (n INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT");
  const insert = db.prepare<[Uint8Array]>("INSERT INTO rows (sealed) VALUES (?)");
  const row = Buffer.alloc(ROW_BYTES);
  const start = performance.now();
  for (let count = 0; count < SYNCS; count += 1) insert.run(row);
  const us = ((performance.now() - start) * 1_000) / SYNCS;
  db.close();
  return us;
}
