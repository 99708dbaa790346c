/** The journal bench's calls: hooks that are pressed, in an engine that keeps journals and in the same one that keeps none. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { createEngineWorld, createTestSandbox, settledTask } from "../../../test/support/engine/engine-world.ts";
import { rawHook } from "../../../test/support/scripts/scripts.ts";
import { computeMedian, createRow, type Measured, measureInterleaved } from "../measure.ts";
import { ANSWER, serveApp } from "./app.ts";
import { openBareCommits, syncPages } from "./bare-commits.ts";

/** Calls of one run: a hook may have 200 checkpoints. */
const CALLS = 160;
/** Longer than a new warm child takes, ms. */
const SPARE_MS = 800;

interface CallKind {
  readonly name: string;
  /** The script's work between its two marks; `get` awaits a whole answer. */
  readonly work: string;
  readonly target?: string;
  /** How many commits its requests wait for, those under way together once: what the disk takes is measured with as many. */
  readonly commits?: number;
}

/** What a run does beside its calls: nothing, bare commits before the answers, or a journal. */
type Way = "without" | "bare" | "kept";

const IN_TURN = (call: string) => `for (let i = 0; i < ${CALLS}; i++) ${call};`;
const AT_ONCE = (call: string) =>
  `await Promise.all(Array.from({ length: 8 }, async () => { for (let i = 0; i < ${CALLS / 8}; i++) ${call}; }));`;
const SEND = (method: string) => `await get("/200", { method: "${method}", body: "${"b".repeat(200)}" })`;

const KINDS: readonly CallKind[] = [
  { name: "GET of 200 B", work: IN_TURN(`await get("/200")`), target: "+150 us", commits: 1 },
  { name: "GET, 8 at once", work: AT_ONCE(`await get("/200")`), target: "+60 us", commits: 1 },
  { name: "PUT of 200 B", work: IN_TURN(SEND("PUT")), target: "+150 us", commits: 1 },
  { name: "POST of 200 B", work: IN_TURN(SEND("POST")), commits: 2 },
  { name: "POST, 8 at once", work: AT_ONCE(SEND("POST")), target: "+60 us", commits: 2 },
  { name: "setProgress", work: IN_TURN("await ctx.setProgress(i % 100)"), target: "+150 us" },
  { name: "emitCheckpoint", work: IN_TURN('await ctx.emitCheckpoint("c" + i, "Done")'), target: "+150 us" },
  { name: "getInstalledAppUrl", work: IN_TURN('await ctx.getInstalledAppUrl("demo")'), target: "+150 us" },
  { name: "readFileSync of 200 B", work: IN_TURN('readFileSync(ctx.mounts[0].hostPath + "/file")'), target: "+150 us" },
];

/** Us a call of each kind takes with a journal, without one, and with bare commits in its place; the disk's fdatasync beside them. */
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
  const bare = openBareCommits(join(folder, "bare.db"));
  const cpu: Record<Way, number[]> = { without: [], bare: [], kept: [] };
  let commits: number[] = [];
  const press = async (hook: number, way: Way): Promise<number> => {
    const times = KINDS[hook]?.commits ?? 0;
    kept.journal = way === "kept";
    app.beforeAnswers = way === "bare" ? () => repeat(times, bare.commit) : null;
    await pause(SPARE_MS);
    const writes = countWrites();
    const { id } = await world.engine.runAction("demo", `hook-${hook}`);
    const { state, failure } = await world.engine.settled(id);
    if (state !== "COMPLETED") throw new Error(`"${KINDS[hook]?.name}" ended ${state}: ${JSON.stringify(failure)}`);
    if (kept.journal) commits.push((countWrites() - writes) / CALLS);
    cpu[way].push(app.between().cpuUs / CALLS);
    return app.between().us / CALLS;
  };
  try {
    await settledTask(world.engine, (await world.engine.install("demo")).id);
    const rows: Measured[] = [];
    const syncs: number[] = [];
    for (const [at, { name, target, commits: waited }] of KINDS.entries()) {
      const found = await measureInterleaved(blocks, {
        without: () => press(at, "without"),
        bare: () => (waited === undefined ? 0 : press(at, "bare")),
        kept: () => press(at, "kept"),
        sync: () => syncPages(join(folder, "sync")),
      });
      // the first of each has warmed up
      const [without, journalled] = [cpu.without.splice(0).slice(1), cpu.kept.splice(0).slice(1)];
      const written = commits.slice(1);
      commits = [];
      const added = subtract(found.kept, found.without);
      const addedByDisk = subtract(found.bare, found.without);
      rows.push(
        createRow(`${name}, no journal`, found.without, "us"),
        createRow(`${name}, journalled`, found.kept, "us"),
        createRow(`${name}, added`, added, "us", target === undefined ? {} : { target }),
      );
      if (waited !== undefined) {
        const ratio = computeMedian(added) / computeMedian(addedByDisk);
        rows.push(createRow(`${name}, added by bare commits in its place`, addedByDisk, "us", { ratio }));
      }
      rows.push(
        createRow(`${name}, added processor time`, subtract(journalled, without), "us"),
        createRow(`${name}, commits of the journal`, written, "a call"),
      );
      syncs.push(...found.sync);
    }
    return [createRow("fdatasync of one page, meanwhile", syncs, "us"), ...rows];
  } finally {
    await world.close();
    await sandbox.close();
    bare.close();
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

function repeat(times: number, run: () => void): void {
  for (let count = 0; count < times; count += 1) run();
}

function subtract(all: readonly number[], others: readonly number[]): number[] {
  return all.map((value, at) => value - (others[at] ?? value));
}
