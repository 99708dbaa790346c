/** What of a run's secrets a file of `slipway run-hook --journal` holds: nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseStep } from "../../sandbox/journal/record.ts";
import { startApp } from "../sandbox/app-server.ts";
import { readBack, runHook } from "../support/run-hook.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();
const { write } = folder;

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
    const [script, journal] = [write("hook.ts", ECHO), join(folder.path, "bug.journal")];
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

  test("in lists, objects and numbers are left out too, and a replay has values of the same form", async () => {
    await using app = await startApp({
      "POST /echo": ({ body }) => ({ body: JSON.parse(body.toString()) }),
    });
    const context = write("context.json", {
      baseUrl: app.url,
      inputs: { server: { keys: ["marker-in-list"], user: { password: "marker-in-object" } }, code: 73_548_211 },
      secretInputs: ["server", "code"],
    });
    const code = `export async function run(ctx) {
      const { server: { keys: [key], user }, code } = ctx.inputs;
      ctx.log(key, user.password, code);
      const answer = await fetch(ctx.baseUrl + "/echo", { method: "POST", body: JSON.stringify({ key, code }) });
      const echoed = await answer.json();
      return [echoed.key === key, echoed.code === code, code.toFixed(1).endsWith(".0")];
    }`;
    const [script, journal] = [write("hook.ts", code), join(folder.path, "nested.journal")];
    const ran = await runHook(script, "--context", context, "--journal", journal);
    expect(ran.document).toMatchObject({ log: ["******** ******** ********"], result: [true, true, true] });
    expectNone(journal, { list: "marker-in-list", object: "marker-in-object", number: "73548211" });
    const { document } = await runHook(script, "--replay", journal);
    expect(document).toMatchObject({ result: [true, true, true] });
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
    const journal = join(folder.path, "bug.journal");
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
    const [script, journal] = [write("hook.ts", code), join(folder.path, "bug.journal")];
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

  test("are inputs that are there", async () => {
    const context = write("context.json", { inputs: { a: 1 }, secretInputs: ["b"] });
    const { exitCode, document } = await runHook(write("hook.ts", "export const run = () => 1;"), "--context", context);
    expect([exitCode, document]).toMatchObject([2, { error: { code: "CLI_FILE_INVALID" } }]);
  });
});
