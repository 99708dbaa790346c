import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeLock } from "../../src/adapters/store-sqlite/opening/lock.ts";
import { askControl } from "../../src/standin/control/ask-control.ts";
import type { StandinAddress } from "../../src/standin/ready.ts";
import { runCommand } from "../support/command-line.ts";
import { RELAY_CA, startTlsRelay, type TlsRelay } from "../support/host/tls-relay.ts";
import { BAD_SCRIPTS } from "../support/scripts/bad-scripts.ts";
import { createSlipwayFolder, errorOf, type SlipwayFolder, slipway, taskOf } from "../support/slipway-process.ts";

const LINK = { hookId: "no-such-hook", runsOnAppId: "good", targets: ["asks"] };

/** Rows: what is wrong; the command; exit code; error code; what the message says. */
type Row = readonly [fault: string, command: () => readonly string[], exit: number, code: string, says: RegExp];

describe("bad input", () => {
  // Commands in this process follow each other quicker than a slower host lets anybody log in.
  const folder: SlipwayFolder = createSlipwayFolder(BAD_SCRIPTS, 1_000);
  let standin: StandinAddress;
  let relay: TlsRelay;
  /** Ids of tasks made before the table. */
  let done = "";
  let waiting = "";

  beforeAll(async () => {
    standin = await folder.standin();
    relay = await startTlsRelay(standin.url);
    done = taskOf(await run("install", "good")).id;
    waiting = taskOf(await run("install", "asks-age")).id;
    // Over TLS it counts as a real host, which has an address in its LAN.
    await askControl(standin, "setNetwork", [{ reached: "192.0.2.10", inUse: ["192.0.2.10"] }]);
  });
  afterAll(() => {
    relay.close();
    folder.remove();
  });

  const run = (...args: readonly string[]) => slipway(...args, ...folder.engine, "--format", "json");
  const write = (name: string, content: unknown): string => folder.write(name, content);
  const install = (appId: string, ...more: readonly string[]): readonly string[] => [
    "install",
    appId,
    ...folder.engine,
    ...more,
  ];
  const answers = (content: unknown): readonly string[] => ["--answers", write("answers.json", content)];
  const onDb = (...args: readonly string[]): readonly string[] => [...args, ...folder.engine];
  /** Options of the stand-in as if it were a real host. */
  const realHost = (changes: { host?: string; key?: string; ca?: string; locations?: object } = {}) => {
    const { host = relay.url, key = standin.apiKey, ca = RELAY_CA } = changes;
    const locations = changes.locations ?? { ApplicationsPerformance: "/mnt/tank/ApplicationsPerformance" };
    const at = ["--host", host, "--host-user", standin.username, "--ca", ca];
    const files = ["--api-key-file", write("key", key), "--locations", write("locations.json", locations)];
    return [...at, ...files];
  };

  describe("is refused with its code, hint and exit code, and nothing is half-done", () => {
    it.each<Row>([
      ["a script that does not parse", () => install("no-json"), 1, "TASK_SCRIPT_REFUSED", /"no-json"/],
      ["version 3", () => install("version-3"), 1, "TASK_SCRIPT_REFUSED", /"version-3"/],
      ["an unknown location", () => install("unknown-location"), 1, "TASK_SCRIPT_REFUSED", /"unknown-location"/],
      ["an unknown macro", () => install("unknown-macro"), 1, "TASK_SCRIPT_REFUSED", /"unknown-macro"/],
      ["an undeclared location", () => install("undeclared-location"), 1, "TASK_SCRIPT_REFUSED", /"undeclared-/],
      ["a path out of its location", () => install("leaves-location"), 1, "TASK_SCRIPT_REFUSED", /"leaves-/],
      [
        "an answer that leads out of the location",
        () => install("answered-path", ...answers({ folder: "../../etc" })),
        1,
        "DIRECTORY_OUTSIDE",
        /"\/mnt\/tank\/ApplicationsPerformance\/\.\.\/\.\.\/etc" leaves/,
      ],
      [
        "a location the host has not configured",
        () => install("movies", ...realHost()),
        1,
        "REQUIREMENT_LOCATION_MISSING",
        /"Movies"/,
      ],
      ["a name taken on the host", () => install("good"), 1, "HOST_NAME_TAKEN", /"good"/],
      ["an unknown app", () => install("nowhere"), 2, "TASK_APP_UNKNOWN", /"nowhere"/],
      ["a stop of what is not installed", () => onDb("stop", "asks"), 1, "TASK_APP_NOT_INSTALLED", /"asks"/],
      [
        "an uninstall of what is not installed",
        () => onDb("uninstall", "asks", "--yes"),
        1,
        "TASK_APP_NOT_INSTALLED",
        /"asks"/,
      ],
      [
        "an uninstall without anybody to ask",
        () => onDb("uninstall", "good", "--format", "json"),
        2,
        "CLI_USAGE",
        /--yes/,
      ],
      ["a rollback without anybody to ask", () => onDb("rollback", "good"), 2, "CLI_USAGE", /--yes/],
      [
        "data that is to go without anybody to ask",
        () => onDb("uninstall", "good", "--remove-data"),
        2,
        "CLI_USAGE",
        /--yes/,
      ],
      ["an adoption of what is not installed", () => onDb("adopt", "asks"), 1, "TASK_APP_NOT_INSTALLED", /"asks"/],
      ["an adoption of what is known", () => onDb("adopt", "good"), 1, "TASK_ADOPT_KNOWN", /"good"/],
      [
        "an adoption with answers that are none",
        () => onDb("adopt", "good", ...answers(["none"])),
        2,
        "TASK_REQUEST_INVALID",
        /answers\.json/,
      ],
      ["a start of what nobody knows", () => onDb("start", "nobody"), 2, "TASK_APP_UNKNOWN", /"nobody"/],
      ["an upgrade of what is not installed", () => onDb("upgrade", "asks"), 1, "TASK_APP_NOT_INSTALLED", /"asks"/],
      ["an update of what is not installed", () => onDb("update", "asks"), 1, "TASK_APP_NOT_INSTALLED", /"asks"/],
      [
        "an upgrade that leads back",
        () => onDb("upgrade", "good", "--to", "0.0.1"),
        2,
        "TASK_VERSION_NOT_NEWER",
        /to 0\.0\.1/,
      ],
      ["an upgrade of all apps and of one", () => onDb("upgrade", "--all", "good"), 2, "CLI_USAGE", /"good"/],
      [
        "a policy at no time",
        () => onDb("upgrade-policy", "--automatic", "61 3 * * *"),
        2,
        "TASK_CRON_INVALID",
        /minute: .* \(at character 1\)/,
      ],
      ["an upgrade of nothing", () => onDb("upgrade"), 2, "CLI_USAGE", /--all/],
      ["an upgrade of all apps where nothing is newer", () => onDb("upgrade", "--all"), 1, "HOST_UPGRADE_NONE", /no /],
      ["an upgrade where nothing is newer", () => onDb("upgrade", "good"), 1, "HOST_UPGRADE_NONE", /"good"/],
      ["an unknown action", () => onDb("action", "good", "nothing"), 2, "ACTION_UNKNOWN", /"nothing"/],
      [
        "a host that does not answer",
        () => install("asks", ...realHost({ host: "wss://127.0.0.1:1" })),
        2,
        "HOST_UNREACHABLE",
        /127\.0\.0\.1:1/,
      ],
      ["a wrong API key", () => install("asks", ...realHost({ key: "1-wrong" })), 2, "HOST_AUTH_FAILED", /slipway/],
      [
        "an API key without encryption",
        () => install("asks", ...realHost({ host: standin.url })),
        2,
        "HOST_PLAINTEXT_REFUSED",
        /not be encrypted/,
      ],
      ["a host that is no address", () => install("asks", "--host", "nas.local"), 2, "CLI_USAGE", /"nas\.local"/],
      ["a real host without an account", () => install("asks", "--host", relay.url), 2, "CLI_USAGE", /--host-user/],
      [
        "a missing API key file",
        () => install("asks", ...realHost(), "--api-key-file", join(folder.path, "none")),
        2,
        "CLI_FILE_UNREADABLE",
        /none"/,
      ],
      ["two ways of trust", () => install("asks", ...realHost(), "--insecure"), 2, "CLI_USAGE", /--ca.*--insecure/],
      ["a missing required answer", () => install("asks", ...answers({ pass: "x" })), 1, "ANSWER_REQUIRED", /"name"/],
      [
        "answers of wrong types",
        () => install("asks", ...answers({ name: 5, pass: [], count: "many", colour: "green" })),
        1,
        "ANSWER_TYPE",
        /"name".*a string, not a number.*and 3 more/,
      ],
      [
        "an unknown question",
        () => install("asks", ...answers({ name: "a", pass: "b", nme: "c" })),
        1,
        "ANSWER_UNKNOWN",
        /"nme".*"name"/,
      ],
      [
        "an answers file that does not parse",
        () => install("asks", ...answers('{\n  "name": "a"\n  "pass": "hunter2"\n}')),
        2,
        "CLI_FILE_INVALID",
        /answers\.json:3:3: /,
      ],
      [
        "an answers file that is a list",
        () => install("asks", ...answers([1])),
        2,
        "TASK_REQUEST_INVALID",
        /json:1:1: /,
      ],
      [
        "an answers file that is not there",
        () => install("asks", "--answers", join(folder.path, "none.json")),
        2,
        "CLI_FILE_UNREADABLE",
        /none\.json/,
      ],
      [
        "answers beside a request",
        () => install("asks", ...answers({}), "--request", write("request.json", {})),
        2,
        "CLI_USAGE",
        /--answers and --request/,
      ],
      [
        "an unknown key in a request",
        () => install("asks", "--request", write("request.json", { answers: {}, link: [] })),
        2,
        "TASK_REQUEST_INVALID",
        /request\.json:1:1: .*"link"/,
      ],
      [
        "a link to an unknown hook",
        () => install("asks", "--request", write("request.json", { answers: { name: "a", pass: "b" }, links: [LINK] })),
        1,
        "PAIRING_LINK_UNKNOWN",
        /"no-such-hook"/,
      ],
      [
        "a catalog that is not there",
        () => install("asks", "--catalog", "/nowhere"),
        2,
        "CATALOG_UNREADABLE",
        /nowhere/,
      ],
      ["an unknown command", () => ["instal", "asks"], 2, "CLI_USAGE", /'instal'.*install/],
      ["an unknown option", () => install("asks", "--answer", "x"), 2, "CLI_USAGE", /'--answer'.*--answers/],
      ["a missing argument", () => ["install"], 2, "CLI_USAGE", /'appId'/],
      ["a wrong format", () => ["tasks", "--format", "xml"], 2, "CLI_USAGE", /'xml'.*text, json/],
      ["an unknown task", () => onDb("task", "nothing"), 2, "TASK_UNKNOWN", /"nothing"/],
      ["a retry of an unknown task", () => onDb("retry", "nothing"), 2, "TASK_UNKNOWN", /"nothing"/],
      ["a retry of a completed task", () => onDb("retry", done), 1, "TASK_REFUSED", /COMPLETED.*"retry"/],
      ["a skip of a completed task", () => onDb("skip", done), 1, "TASK_REFUSED", /COMPLETED.*"skip"/],
      ["a cancel of a completed task", () => onDb("cancel", done), 1, "TASK_REFUSED", /COMPLETED.*"cancel"/],
      ["a dismiss of a waiting task", () => onDb("dismiss", waiting), 1, "TASK_REFUSED", /"dismiss"/],
      [
        "an input for a completed task",
        () => onDb("input", done, "--values", write("values.json", {})),
        1,
        "TASK_REFUSED",
        /COMPLETED/,
      ],
      [
        "an input of the wrong type",
        () => onDb("input", waiting, "--values", write("values.json", { age: "old" })),
        1,
        "ANSWER_TYPE",
        /"age" must be a number/,
      ],
      [
        "an input the hook does not declare",
        () => onDb("input", waiting, "--values", write("values.json", { age: 3, name: "x" })),
        1,
        "TASK_INPUT_UNKNOWN",
        /"name".*"age"/,
      ],
      [
        "tasks of a database that is not there",
        () => ["tasks", "--db", join(folder.path, "no.db")],
        2,
        "STORE_CANNOT_OPEN",
        /no\.db/,
      ],
      [
        "a pipe for a backup",
        () => ["restore", makePipe(folder.path), "--db", join(folder.path, "new.db")],
        2,
        "STORE_CANNOT_OPEN",
        /it is no regular file/,
      ],
      ["a directory for a database", () => ["tasks", "--db", folder.path], 2, "STORE_CANNOT_OPEN", /it is a directory/],
      [
        "a database that is no database",
        () => ["tasks", "--db", write("text.db", "this is no database, it is a text of some length")],
        2,
        "STORE_FOREIGN",
        /text\.db/,
      ],
      [
        "a database of another program",
        () => ["tasks", "--db", foreignDatabase(join(folder.path, "foreign.db"))],
        2,
        "STORE_FOREIGN",
        /foreign\.db/,
      ],
      [
        "a database of a newer version, read",
        () => ["tasks", "--db", newerDatabase(join(folder.path, "newer.db"))],
        2,
        "STORE_NEWER",
        /newer\.db" has schema 99/,
      ],
      [
        "a database of a newer version, written",
        () => ["install", "asks", "--catalog", folder.catalog, "--db", newerDatabase(join(folder.path, "newer.db"))],
        2,
        "STORE_NEWER",
        /newer\.db" has schema 99/,
      ],
      ["a service that is not there", () => ["tasks", "--api", "http://127.0.0.1:1"], 2, "CLI_API_FAILED", /127\.0/],
      ["a service that is no address", () => ["tasks", "--api", "here"], 2, "CLI_USAGE", /"here"/],
    ])("%s", async (_, command, exit, code, says) => {
      const before = folder.traces();
      const result = await runCommand(...command(), "--format", "json");
      const error = errorOf(result);
      expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
      expect(error.hint).toMatch(/^[a-z].*[^.]$/);
      expect(result.exitCode).toBe(exit);
      expect(result.stderr).toBe("");
      expect(folder.traces()).toEqual(before);
    });
  });

  it("a refused script is shown with every fault's file, line and column", async () => {
    const { exitCode, stdout, stderr } = await slipway(...install("no-json"));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error TASK_SCRIPT_REFUSED: .*\n {2}no-json\.json:4:3: error SCRIPT_JSON_SYNTAX: .*\n.*hint/,
    );
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(
      "  hint: have the author correct the problems shown, then sync the catalog",
    );
  });

  it.each([
    ["version 3", "version-3", "SCRIPT_VERSION_DEPRECATED", 2],
    ["an unknown location", "unknown-location", "SCRIPT_LOCATION_UNKNOWN", 8],
    ["an unknown macro", "unknown-macro", "MACRO_UNKNOWN", 15],
    ["an undeclared location", "undeclared-location", "MACRO_LOCATION_UNDECLARED", 15],
    ["a path out of its location", "leaves-location", "DIRECTORY_OUTSIDE", 17],
  ])("the problem of %s has its place in the script", async (_, appId, code, line) => {
    const { problems } = errorOf(await run("install", appId));
    expect(problems).toContainEqual(expect.objectContaining({ code, line, severity: "error" }));
  });

  it("every fault of the answers is told at once, and none names the value of a password", async () => {
    const result = await run("install", "asks", ...answers({ name: 5, pass: ["s3cret-word"], count: "x", more: 1 }));
    const { problems } = errorOf(result);
    expect(problems).toEqual(
      [
        ["more", "ANSWER_UNKNOWN"],
        ["name", "ANSWER_TYPE"],
        ["pass", "ANSWER_TYPE"],
        ["count", "ANSWER_TYPE"],
      ].map(([key, code]) => expect.objectContaining({ code, path: ["answers", key] })),
    );
    expect(result.stdout).not.toContain("s3cret");
  });

  it("a hook that throws waits for a person, with the author's line", async () => {
    const result = await run("install", "throws");
    expect(result.exitCode).toBe(3);
    expect(taskOf(result).children[0]).toMatchObject({
      state: "AWAITING_RETRY",
      failure: { code: "TASK_HOOK_FAILED", message: "the library is locked" },
    });
    expect(JSON.stringify(taskOf(result).children[0]?.failure)).toContain("throws.json#setup:2:9");
  });

  it.each(["never-ends", "spins"])("a hook that %s is stopped at its timeout", async (appId) => {
    const result = await run("install", appId);
    expect(result.exitCode).toBe(3);
    expect(taskOf(result).children[0]).toMatchObject({
      state: "AWAITING_RETRY",
      failure: { code: "TASK_HOOK_TIMEOUT", message: expect.stringContaining("1 s") },
    });
  });

  it.each([
    ["with a syntax error", "syntax", ["setup"]],
    ["without the named entrypoint", "no-entrypoint", ["setup"]],
    ["with a syntax error, and another,", "two-dropped", ["first", "second"]],
  ])("a hook %s is left out of the install, with a mark", async (_, appId, hooks) => {
    const result = await run("install", appId);
    expect(result.exitCode).toBe(0);
    const marks = hooks.map((hook) => `hookDropped: ${hook}`);
    expect(taskOf(result)).toMatchObject({ state: "COMPLETED", children: [], marks });
  });

  it("a database a process owns is refused with the process's id and command", async () => {
    const before = folder.traces();
    const free = takeLock(folder.db, { pid: process.pid, command: "the test" });
    const result = await run("install", "asks", ...answers({ name: "a", pass: "b" }));
    free();
    expect(result.exitCode).toBe(2);
    expect(errorOf(result)).toMatchObject({
      code: "STORE_LOCKED",
      message: expect.stringContaining(`process ${process.pid} ("the test")`),
      pid: process.pid,
    });
    expect(folder.traces()).toEqual(before);
  });

  it("an address that does not accept a listener is refused before anything is opened", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const address = holder.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const before = folder.traces();
    const used = await slipway("serve", ...folder.engine, "--listen", `127.0.0.1:${port}`);
    holder.close();
    expect(used).toMatchObject({ exitCode: 2, stdout: "" });
    expect(used.stderr).toMatch(/error HTTP_LISTEN_FAILED: .*EADDRINUSE[\s\S]*hint: choose a free port/);
    expect(folder.traces()).toEqual(before);
  });

  it.each([
    ["no token beyond loopback", "0.0.0.0:0", null, "HTTP_TOKEN_REQUIRED", /"0\.0\.0\.0"/],
    ["a token that is too short", "127.0.0.1:0", "short", "CLI_FILE_INVALID", /16 characters/],
    ["an address without a port", "127.0.0.1", null, "CLI_USAGE", /"127\.0\.0\.1"/],
  ])("serve refuses %s", async (_, listen, token, code, says) => {
    const db = join(folder.path, "serve.db");
    const guard = token === null ? [] : ["--token-file", join(folder.path, "token")];
    if (token !== null) writeFileSync(join(folder.path, "token"), token, { mode: 0o600 });
    const { exitCode, stdout, stderr } = await slipway("serve", "--db", db, "--listen", listen, ...guard);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`error ${code}: `);
    expect(stderr).toMatch(says);
    expect(() => new Database(db, { fileMustExist: true })).toThrow();
  });

  it.each([
    ["--drain-timeout", "Infinity"],
    ["--drain-timeout", "-1"],
    ["--sync-every", "86401"],
  ])("serve refuses %s %s", async (option, value) => {
    const { exitCode, stderr } = await slipway("serve", "--listen", "127.0.0.1:0", `${option}=${value}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("from 1 to 86400") });
  });

  it("serve refuses a proxy's secret that others can read", async () => {
    const file = join(folder.path, "proxy-secret");
    writeFileSync(file, "a-secret-of-some-length", { mode: 0o644 });
    const { exitCode, stderr } = await slipway("serve", "--listen", "127.0.0.1:0", "--proxy-secret-file", file);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("is open to others") });
  });

  it("every database is free and the good app is installed once after all that", async () => {
    expect(folder.traces().apps.filter((name) => name === "good")).toEqual(["good"]);
    expect((await run("tasks")).exitCode).toBe(0);
  });

  function makePipe(parent: string): string {
    const file = join(parent, "pipe");
    execFileSync("mkfifo", [file]);
    return file;
  }

  function foreignDatabase(file: string): string {
    const db = new Database(file);
    db.exec("CREATE TABLE IF NOT EXISTS notes (id INTEGER)");
    db.close();
    return file;
  }

  function newerDatabase(file: string): string {
    const db = new Database(file);
    db.exec("CREATE TABLE IF NOT EXISTS meta (id INTEGER)");
    db.pragma("application_id = 1397512025");
    db.pragma("user_version = 99");
    db.close();
    return file;
  }
});
