/** `slipway run-hook --journal` and `--replay`, in processes of their own. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { readJournalFile, writeJournalFile } from "../../sandbox/journal/journal-file.ts";
import { parseStep } from "../../sandbox/journal/record.ts";
import { digestRow, type StoredJournal } from "../../sandbox/journal/row.ts";
import type { JsonObject } from "../../src/core/json/json.ts";
import { startApp } from "../sandbox/app-server.ts";
import { createSlipwayFolder, endOf, slipway, startSlipway } from "../support/slipway-process.ts";

const { path: root, remove } = createSlipwayFolder({});
afterAll(remove);
let folder = "";
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
  mkdirSync(folder);
});

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const Document = z.looseObject({ outcome: z.looseObject({ status: z.string() }), log: z.array(z.string()) });

async function runHook(script: string, ...args: readonly string[]) {
  const ended = await slipway("run-hook", script, "--entrypoint", "run", "--format", "json", ...args);
  return { exitCode: ended.exitCode, document: z.looseObject({}).parse(JSON.parse(ended.stdout)) };
}

/** What two runs of a script have to agree in. */
function shared(document: unknown) {
  const { outcome, log, checkpoints, result } = Document.parse(document);
  return { outcome, log, checkpoints, result };
}

function readBack(file: string): StoredJournal & { readonly meta: JsonObject } {
  const read = readJournalFile(readFileSync(file, "utf8"));
  if ("fault" in read) throw new Error(read.fault);
  return read;
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
  const mount = join(folder, "mount");
  mkdirSync(mount);
  writeFileSync(join(mount, "token"), "t0k");
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
    const journal = join(folder, "bug.journal");
    const ran = await runHook(write("hook.ts", TALK), "--context", context, "--journal", journal);
    expect([ran.exitCode, ran.document["journal"]]).toEqual([exitCode, { file: journal }]);
    expect(statSync(journal).mode & 0o777).toBe(0o600);
    await app[Symbol.asyncDispose]();
    for (const gone of [mount, context]) rmSync(gone, { recursive: true });

    mkdirSync(join(folder, "desk"));
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
    const [script, journal] = [write("hook.ts", code), join(folder, "bug.journal")];
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
    const [script, journal] = [write("hook.ts", code), join(folder, "bug.journal")];
    expect((await runHook(script, "--journal", journal)).document).toMatchObject({
      result: 5,
      journal: { file: journal },
    });
    expect((await runHook(script, "--replay", journal)).document).toMatchObject({
      outcome: { status: "open", message: expect.stringContaining("more than 2000 calls") },
    });
  });
});

describe("secrets", () => {
  const SECRET = 'Gehe!m "W/ört?&=\\ 9';
  const forms = (text: string) => {
    const bytes = Buffer.from(text);
    const inner = [0, 1, 2].map((before) => {
      const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
      return coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    });
    return {
      raw: text,
      json: JSON.stringify(text).slice(1, -1),
      percent: encodeURIComponent(text),
      form: new URLSearchParams({ a: text }).toString().slice(2),
      hex: bytes.toString("hex"),
      base64: bytes.toString("base64"),
      ...Object.fromEntries(inner.map((coded, before) => [`base64 at ${before}`, coded])),
      ...Object.fromEntries(
        inner.map((coded, before) => [`base64url at ${before}`, coded.replaceAll("+", "-").replaceAll("/", "_")]),
      ),
    };
  };
  /** Every text of the file as it can be read: as it stands, what its rows say, and their bytes. */
  const textsOf = (file: string): readonly string[] => {
    const { rows, meta } = readBack(file);
    const bytes = rows.flatMap((row) =>
      [row.bytes, ...row.bodies.map((body) => body.bytes)].map((each) => Buffer.from(each)),
    );
    const strings: string[] = [JSON.stringify(meta)];
    JSON.stringify([meta, rows.map(({ text }) => JSON.parse(text))], (_, value: unknown) => {
      if (typeof value === "string") strings.push(value);
      return value;
    });
    return [
      readFileSync(file, "utf8"),
      ...strings,
      ...bytes.flatMap((each) => [each.toString(), each.toString("latin1")]),
    ];
  };
  const expectNone = (file: string, named: Readonly<Record<string, string>>) => {
    const texts = textsOf(file);
    expect(Object.keys(named).filter((name) => texts.some((text) => text.includes(named[name] ?? "")))).toEqual([]);
  };

  const ECHO = `export async function run(ctx) {
    const token = crypto.randomUUID();
    const key = crypto.getRandomValues(new Uint8Array(32));
    const hex = Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join("");
    await fetch(ctx.baseUrl + "/plain");
    const send = (path, body) => fetch(ctx.baseUrl + path + "?q=" + encodeURIComponent(ctx.inputs.password), { method: "POST", body });
    const echoed = await (await send("/echo", JSON.stringify({ password: ctx.inputs.password, token, hex }))).json();
    ctx.log(echoed.same.password === ctx.inputs.password, echoed.same.token === token, echoed.same.hex === hex);
    await send("/binary", key);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(ctx.inputs.password));
    await fetch(ctx.baseUrl + "/digest", { method: "PUT", body: digest });
    return [echoed.appToken, ctx.inputs.pin === "1234"];
  }`;

  test("stand in no encoding in the file; the app's own token does, and a replay sees the same", async () => {
    const drawn: Record<string, string> = {};
    await using app = await startApp({
      "GET /plain": () => ({ body: "plain" }),
      "PUT /digest": () => ({}),
      "POST /echo": ({ body, query }) => {
        const same = z
          .object({ password: z.string(), token: z.string(), hex: z.string() })
          .parse(JSON.parse(body.toString()));
        Object.assign(drawn, { token: same.token, hex: same.hex, "token's bytes": same.token.replaceAll("-", "") });
        return {
          headers: { "x-echo": encodeURIComponent(String(query.get("q"))) },
          body: { appToken: "app-t0ken", same, forms: forms(same.password) },
        };
      },
      "POST /binary": ({ body }) => {
        Object.assign(drawn, { raw: body.toString("latin1"), base64: body.toString("base64").slice(0, -1) });
        return { body: Buffer.concat([Buffer.from([0xff, 0xfe]), body, Buffer.from(SECRET)]) };
      },
    });
    const context = write("context.json", {
      baseUrl: app.url,
      inputs: { password: SECRET, pin: "1234", note: `it is ${SECRET}` },
      secretInputs: ["password", "pin"],
    });
    const [script, journal] = [write("hook.ts", ECHO), join(folder, "bug.journal")];
    const ran = await runHook(script, "--context", context, "--journal", journal);
    expect(ran.document).toMatchObject({
      log: ["true true true"],
      result: ["app-t0ken", true],
      journal: { file: journal },
    });
    expect(Object.keys(drawn)).toHaveLength(5);
    expectNone(journal, { ...forms(SECRET), ...drawn });
    expect(textsOf(journal).some((text) => text.includes("app-t0ken"))).toBe(true);
    expect(readBack(journal).meta["context"]).toMatchObject({
      inputs: { password: "SECRET_1", pin: "SECRET_2", note: "it is SECRET_1" },
    });

    const { exitCode, document } = await runHook(script, "--replay", journal);
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({ log: ["true true true"], result: ["app-t0ken", false] });
  });

  test("leave the hashes of what depends on them out, and no others", async () => {
    await using app = await startApp({
      "GET /plain": () => ({}),
      "PUT /digest": () => ({}),
      "POST /echo": ({ body }) => ({ body: { appToken: "", same: JSON.parse(body.toString()) } }),
      "POST /binary": () => ({}),
    });
    const context = write("context.json", {
      baseUrl: app.url,
      inputs: { password: SECRET },
      secretInputs: ["password"],
    });
    const journal = join(folder, "bug.journal");
    await runHook(write("hook.ts", ECHO), "--context", context, "--journal", journal);
    const records = readBack(journal).rows.flatMap(({ text }) => parseStep(text)?.records ?? []);
    const calls = records.flatMap((record) => (record.is === "turn" ? record.calls : []));
    expect(calls.map(({ class: kind, hash }) => [kind, hash !== null])).toEqual([
      ["read", true],
      ["once", false],
      ["once", false],
      ["change", false],
    ]);
  });

  test("that steer a script keep it from being replayed, and the run says so", async () => {
    const code = `export async function run(ctx) {
      if (ctx.inputs.password.startsWith("G")) await fetch(ctx.baseUrl + "/plain");
      return 1;
    }`;
    await using app = await startApp({});
    const context = write("context.json", {
      baseUrl: app.url,
      inputs: { password: SECRET },
      secretInputs: ["password"],
    });
    const [script, journal] = [write("hook.ts", code), join(folder, "bug.journal")];
    const ran = await runHook(script, "--context", context, "--journal", journal);
    expect([ran.exitCode, ran.document["journal"]]).toEqual([
      0,
      { file: journal, fault: expect.stringContaining("ended early") },
    ]);
    const { exitCode, document } = await runHook(script, "--replay", journal);
    expect([exitCode, document]).toMatchObject([
      1,
      { error: { code: "CLI_REPLAY_DIVERGED", hint: expect.stringContaining("secret") } },
    ]);
  });

  test("are masked in what is shown", async () => {
    const context = write("context.json", { inputs: { password: SECRET }, secretInputs: ["password"] });
    const script = write(
      "hook.ts",
      "export const run = (ctx) => { ctx.log(ctx.inputs.password); return ctx.inputs; };",
    );
    const { document } = await runHook(script, "--context", context);
    expect(document).toMatchObject({ log: ["********"], result: { password: "********" } });
  });

  test("are inputs that are strings", async () => {
    const context = write("context.json", { inputs: { a: 1 }, secretInputs: ["a"] });
    const { exitCode, document } = await runHook(write("hook.ts", "export const run = () => 1;"), "--context", context);
    expect([exitCode, document]).toMatchObject([2, { error: { code: "CLI_FILE_INVALID" } }]);
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
    const [script, journal] = [write("hook.ts", code), join(folder, "bug.journal")];
    await runHook(script, "--journal", journal);
    return { script, journal, text: readFileSync(journal, "utf8") };
  };

  test("another call than the journal's is named, with a hint", async () => {
    const { script, journal } = await keep();
    const { rows, meta } = readBack(journal);
    let head = "";
    // whoever has changed it has sealed it again
    const changed = rows.map((row) => {
      const text = row.text.replace(/("class":"report","hash":")[^"]+/, "$1another");
      head = digestRow(head, { ...row, text });
      return { ...row, text, digest: head };
    });
    writeFileSync(journal, writeJournalFile({ rows: changed, head }, meta));
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
    for (const file of [join(folder, "none"), folder]) {
      const found = await errorOf(script, "--entrypoint", "run", "--replay", file);
      expect(found).toMatchObject({ exitCode: 2, code: "CLI_FILE_UNREADABLE" });
    }
  });

  test("is not written over another, and not where no file can be", async () => {
    const { script, journal, text } = await keep();
    for (const file of [journal, join(folder, "none/bug.journal")]) {
      const found = await errorOf(script, "--entrypoint", "run", "--journal", file);
      expect(found).toMatchObject({ exitCode: 2, code: "CLI_FILE_UNWRITABLE", file });
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
