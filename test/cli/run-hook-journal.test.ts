/** `slipway run-hook --journal` and `--replay`, in processes of their own. */
import { readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { writeJournalFile } from "../../sandbox/journal/journal-file.ts";
import { sealRows } from "../../sandbox/journal/row.ts";
import { startApp } from "../sandbox/app-server.ts";
import { readBack, runHook } from "../support/run-hook.ts";
import { endOf, slipway, startSlipway } from "../support/slipway-process.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();
const { write } = folder;

const Document = z.looseObject({ outcome: z.looseObject({ status: z.string() }), log: z.array(z.string()) });

/** What two runs of a script have to agree in. */
function shared(document: unknown) {
  const { outcome, log, checkpoints, result } = Document.parse(document);
  return { outcome, log, checkpoints, result };
}

const TALK = `import { readFileSync } from "node:fs";
import { Database } from "bun:sqlite";
export async function run(ctx) {
  await ctx.registerCheckpoints([{ id: "a", message: "A" }, { id: "b", message: "B" }]);
  await ctx.waitForApp("/health");
  ctx.log("at", Date.now(), Math.random(), await ctx.getInstalledAppUrl("other"));
  const { localPath } = ctx.mounts[0];
  ctx.log(readFileSync(localPath + "/token", "utf8"), new Database(localPath + "/app.db").query("SELECT v FROM t").all());
  const saved = await fetch(ctx.baseUrl + "/save", { method: "POST", body: ctx.inputs.name });
  ctx.log(await ctx.awaitCheckpointRetry("a", new Error("broken")));
  await ctx.sleep(20);
  await ctx.emitCheckpoint("b", "Done");
  if (!saved.ok) ctx.fail("Not saved", [{ label: "status", value: saved.status }]);
  return saved.json();
}`;

function writeMount(): string {
  const mount = dirname(write("mount/token", "t0k"));
  const db = new DatabaseSync(join(mount, "app.db"));
  db.exec("CREATE TABLE t (v); INSERT INTO t VALUES (7)");
  db.close();
  return mount;
}

describe("a run is played back with nothing around it", () => {
  test.each([
    ["a completed one", 200, 0],
    ["a failed one, with the author's line", 507, 1],
  ])("%s", async (_, status, exitCode) => {
    const app = await startApp({ "GET /health": () => ({}), "POST /save": () => ({ status, body: { id: 4 } }) });
    const mount = writeMount();
    const context = write("context.json", {
      baseUrl: app.url,
      inputs: { name: "anna" },
      mounts: [{ hostPath: "/mnt/x", containerPath: null, localPath: mount }],
      installedApps: { other: "http://127.0.0.1:8989" },
    });
    const journal = join(folder.path, "bug.journal");
    const ran = await runHook(write("hook.ts", TALK), "--context", context, "--journal", journal);
    expect([ran.exitCode, ran.document["journal"]]).toEqual([exitCode, { file: journal }]);
    expect(statSync(journal).mode & 0o777).toBe(0o600);
    await app[Symbol.asyncDispose]();
    for (const gone of [mount, context]) rmSync(gone, { recursive: true });

    const replayed = await runHook(write("desk/hook.ts", TALK), "--replay", journal);
    expect(replayed.exitCode).toBe(exitCode);
    expect(shared(replayed.document)).toEqual(shared(ran.document));
    expect(replayed.document).toMatchObject({ usage: { fetches: 0 } });
    expect(app.received.map(({ path }) => path)).toEqual(["/health", "/save"]);
  });

  test("one that had not ended stands where it stood, and its calls are named", async () => {
    const sent = Promise.withResolvers<void>();
    const code = `export async function run(ctx) {
      await ctx.registerCheckpoints([{ id: "a", message: "A" }]);
      ctx.log("begun");
      await Promise.all([fetch(ctx.baseUrl + "/slow?x=1", { method: "POST" }), ctx.sleep(600_000)]);
    }`;
    await using app = await startApp({
      "POST /slow": () => {
        sent.resolve();
        return null;
      },
    });
    const [script, journal] = [write("hook.ts", code), join(folder.path, "bug.journal")];
    const context = write("context.json", { baseUrl: app.url });
    const live = startSlipway(["run-hook", script, "--entrypoint", "run", "--context", context, "--journal", journal]);
    const ended = endOf(live);
    await sent.promise;
    live.kill("SIGINT");
    expect(await ended).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(`journal: ${journal}`),
      stderr: expect.stringContaining("failed stopped"),
    });
    const { exitCode, document } = await runHook(script, "--replay", journal);
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      outcome: { status: "open" },
      open: [{ call: `POST ${app.url}/slow` }, { call: "timer of 600000 ms" }],
      checkpoints: [{ id: "a", state: "REGISTERED" }],
      log: ["begun"],
    });
    const shown = await slipway("run-hook", script, "--entrypoint", "run", "--replay", journal);
    expect(shown.stdout).toMatch(
      /^\[REGISTERED\] a: A\nbegun\nthe journal ends here: the script waits for\n {2}call \d+: POST http/,
    );
    expect(app.received).toHaveLength(1);
  });

  test("one past a limit of journals as far as it was kept", async () => {
    const code = `export async function run(ctx) {
      for (let turn = 0; turn < 3; turn++) {
        for (let i = 0; i < 900; i++) clearTimeout(setTimeout(() => {}, 60_000));
        await ctx.sleep(1);
      }
      return 5;
    }`;
    const [script, journal] = [write("hook.ts", code), join(folder.path, "bug.journal")];
    expect((await runHook(script, "--journal", journal)).document).toMatchObject({
      result: 5,
      journal: { file: journal },
    });
    expect((await runHook(script, "--replay", journal)).document).toMatchObject({
      outcome: { status: "open", message: expect.stringContaining("more than 2000 calls") },
    });
  });
});

describe("a file that can't be played", () => {
  const CODE = "export const run = async (ctx) => { await ctx.sleep(1); await ctx.setProgress(50); return 1; };";
  const errorOf = async (...args: readonly string[]) => {
    const { exitCode, stdout } = await slipway("run-hook", ...args, "--format", "json");
    const { error } = z
      .object({ error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }) })
      .parse(JSON.parse(stdout));
    return { exitCode, ...error };
  };
  const keep = async (code = CODE) => {
    const [script, journal] = [write("hook.ts", code), join(folder.path, "bug.journal")];
    await runHook(script, "--journal", journal);
    return { script, journal, text: readFileSync(journal, "utf8") };
  };

  test("another call than the journal's is named, with a hint", async () => {
    const { script, journal } = await keep();
    const { rows, meta } = readBack(journal);
    const changed = rows.map((row) => {
      return { ...row, text: row.text.replace(/("class":"report","hash":")[^"]+/, "$1another") };
    });
    // whoever has changed it has sealed it again
    writeFileSync(journal, writeJournalFile(sealRows(changed), meta));
    const args = [script, "--entrypoint", "run", "--replay", journal];
    expect(await errorOf(...args)).toMatchObject({
      exitCode: 1,
      code: "CLI_REPLAY_DIVERGED",
      message: expect.stringMatching(/call 2 is setProgress/),
      file: journal,
    });
    const { exitCode, stderr } = await slipway("run-hook", ...args);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^error CLI_REPLAY_DIVERGED: .*call 2 is setProgress.*\n {2}hint: /),
    ]);
  });

  test("of something else, changed or cut", async () => {
    const { script, journal, text } = await keep();
    const lines = text.split("\n");
    for (const [name, content] of Object.entries({
      empty: "",
      json: "{}",
      cut: text.slice(0, -30),
      "without its last row": `${lines.toSpliced(-3, 1).join("\n")}`,
      "without its end": `${lines.slice(0, -2).join("\n")}\n`,
      changed: text.replace('\\"ranMs\\":', '\\"ranMs\\":1'),
    })) {
      writeFileSync(journal, content);
      const found = await errorOf(script, "--entrypoint", "run", "--replay", journal);
      expect([name, found]).toMatchObject([name, { exitCode: 2, code: "CLI_JOURNAL_INVALID" }]);
    }
  });

  test("of more than any journal has", async () => {
    const [script, journal] = [write("hook.ts", CODE), write("bug.journal", "")];
    truncateSync(journal, 64 * 2 ** 20 + 1);
    expect(await errorOf(script, "--entrypoint", "run", "--replay", journal)).toMatchObject({
      exitCode: 2,
      code: "CLI_FILE_UNREADABLE",
      message: expect.stringContaining("larger than 67108864 bytes"),
    });
  });

  test("of another script or entrypoint, or not there", async () => {
    const { script, journal } = await keep(`${CODE}\nexport const other = run;`);
    const replay = (...args: readonly string[]) => errorOf(...args, "--replay", journal);
    const foreign = { exitCode: 2, code: "CLI_JOURNAL_FOREIGN" };
    expect(await replay(script, "--entrypoint", "other")).toMatchObject({
      ...foreign,
      message: expect.stringContaining('the entrypoint "run"'),
    });
    const changed = write("changed.ts", CODE.replace("50", "60"));
    expect(await replay(changed, "--entrypoint", "run")).toMatchObject(foreign);
    for (const file of [join(folder.path, "none"), folder.path]) {
      const found = await errorOf(script, "--entrypoint", "run", "--replay", file);
      expect(found).toMatchObject({ exitCode: 2, code: "CLI_FILE_UNREADABLE" });
    }
  });

  test("is not written over another, and not where no file can be", async () => {
    const { script, journal, text } = await keep();
    const link = join(folder.path, "link");
    symlinkSync(join(folder.path, "nowhere"), link);
    for (const [file, why] of [
      [journal, "exists"],
      [link, "exists"],
      [join(folder.path, "none/bug.journal"), "access"],
      [join(script, "bug.journal"), "lstat"],
    ] as const) {
      const found = await errorOf(script, "--entrypoint", "run", "--journal", file);
      const message = expect.stringContaining(why);
      expect(found).toMatchObject({ exitCode: 2, code: "CLI_FILE_UNWRITABLE", file, message });
    }
    expect(readFileSync(journal, "utf8")).toBe(text);
  });

  test.each([
    ["a run to keep", "--journal", ["--replay", "a", "--journal", "b"]],
    ["a context", "--context", ["--replay", "a", "--context", "b"]],
    ["answers", "--answers-http", ["--replay", "a", "--answers-http", "b"]],
    ["a widget", "--replay", ["--replay", "a", "--widget", "b"]],
    ["a widget's run", "--journal", ["--journal", "a", "--widget", "b"]],
  ])("goes with no other option: %s", async (_, named, args) => {
    const message = expect.stringContaining(named);
    expect(await errorOf("hook.ts", "--entrypoint", "run", ...args)).toMatchObject({ code: "CLI_USAGE", message });
  });
});
