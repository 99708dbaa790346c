/** State a cloned catalog brought, or another user could have written: no command goes on with it, and nothing is repaired. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openReader } from "../../../src/adapters/store-sqlite/open-store.ts";
import { readReady } from "../../../src/standin/ready.ts";
import { IS_ROOT } from "../../support/ordinary-user.ts";
import { rawScript } from "../../support/scripts/scripts.ts";
import { endOf, errorOf, type SlipwayResult, startSlipway, untilOutput } from "../../support/slipway-process.ts";

const SCRIPT = rawScript({
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/photos/data" }],
});
const LOCATION = "slipway.db.standin/mnt/tank/ApplicationsPerformance";

/** What the author of the clone prepares: a database in which an app is installed, and the stand-in that has it. */
let author: string;
let folder: string;
let clone: string;
let victim: string;

beforeAll(async () => {
  author = realpathSync(mkdtempSync(join(tmpdir(), "slipway-author-")));
  mkdirSync(join(author, "apps"));
  writeFileSync(join(author, "apps/photos.json"), JSON.stringify(SCRIPT));
  const options = ["--catalog", join(author, "apps"), "--db", join(author, "slipway.db"), "--standin-speed", "50"];
  expect(await endOf(startSlipway(["install", "photos", "--yes", ...options]))).toMatchObject({ exitCode: 0 });
  await endStandin(join(author, "slipway.db.standin"));
}, 60_000);
afterAll(() => rmSync(author, { recursive: true, force: true }));

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-brought-")));
  [clone, victim] = [join(folder, "clone"), join(folder, "photos/data")];
  mkdirSync(join(clone, ".git"), { recursive: true });
  cpSync(join(author, "apps"), join(clone, "apps"), { recursive: true });
  mkdirSync(victim, { recursive: true });
  writeFileSync(join(victim, "holiday.jpg"), "of the person who cloned");
  return () => rmSync(folder, { recursive: true, force: true });
});

async function endStandin(dir: string): Promise<void> {
  const pid = readReady(dir)?.pid;
  if (pid !== undefined) process.kill(pid, "SIGTERM");
  await vi.waitUntil(() => readReady(dir) === undefined, { timeout: 30_000 });
}

/** Puts what the author prepared somewhere; the location of the stand-in is a link to a folder. */
function bring(to: string, location: string | null): void {
  for (const name of readdirSync(author).filter((one) => one.startsWith("slipway.db"))) {
    cpSync(join(author, name), join(to, name), { recursive: true });
  }
  if (location === null) return;
  rmSync(join(to, LOCATION), { recursive: true });
  symlinkSync(location, join(to, LOCATION));
}

/** Every path below a folder, with its mode and the digest of its text; links are not followed. */
function listFiles(top: string): readonly string[] {
  return readdirSync(top, { withFileTypes: true }).flatMap((entry) => {
    const path = join(top, entry.name);
    if (entry.isSymbolicLink()) return [path];
    const mode = statSync(path).mode.toString(8);
    if (entry.isDirectory()) return [`${path} ${mode}`, ...listFiles(path)];
    return [`${path} ${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`];
  });
}

const run = (cwd: string, ...args: readonly string[]): Promise<SlipwayResult> =>
  endOf(startSlipway(args, { XDG_STATE_HOME: join(folder, "state") }, cwd));

/** Commands that go on with a database, with what each needs. */
const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ["serve", "--listen", "127.0.0.1:0", "--no-token"],
  ["dev", "--listen", "127.0.0.1:0", "--no-token"],
  ["install", "photos", "--yes", "--format", "json"],
  ["uninstall", "photos", "--remove-data", "--yes", "--format", "json"],
  ["drift", "--format", "json"],
  ["export", "--out", "out.json", "--without-secrets"],
];

describe("a database that a clone brought", () => {
  it.each(COMMANDS)("is refused by %s, and everything stays as it is", async (...command) => {
    bring(clone, "../../../..");
    const before = listFiles(folder);
    const { exitCode, stdout, stderr } = await run(clone, ...command, "--catalog", "apps", "--db", "slipway.db");
    expect(exitCode).toBe(2);
    expect(stderr + stdout).toContain("STORE_IN_CATALOG");
    expect(stderr + stdout).toMatch(/hint.*outside the catalog/);
    expect(listFiles(folder)).toEqual(before);
  });

  it.each([
    ["in the catalog itself", () => bring(join(clone, "apps"), null), ["--db", "apps/slipway.db"]],
    [
      "behind a link beside it",
      () => symlinkSync(join(clone, "slipway.db"), join(folder, "own.db")),
      ["--db", "../own.db"],
    ],
    [
      "as the folder of its stand-in alone",
      () => symlinkSync(join(clone, "slipway.db.standin"), join(folder, "own.db.standin")),
      ["--db", "../own.db"],
    ],
    ["as its witness", () => {}, ["--db", "../own.db", "--witness", "slipway.db.witness"]],
    [
      "beside a submodule that is the catalog",
      () => writeFileSync(join(clone, "apps/.git"), "gitdir: ../.git/modules/apps\n"),
      ["--db", "slipway.db"],
    ],
    [
      "beside a link to the catalog",
      () => {
        renameSync(join(clone, "apps"), join(folder, "apps"));
        symlinkSync("../apps", join(clone, "apps"));
      },
      ["--db", "slipway.db"],
    ],
  ])("is refused %s", async (_where, prepare, options) => {
    bring(clone, null);
    prepare();
    const { exitCode, stderr } = await run(clone, "serve", "--catalog", "apps", "--listen", "127.0.0.1:0", ...options);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("error STORE_IN_CATALOG: ")]);
    expect(existsSync(join(folder, "own.db"))).toBe(options[1] === "../own.db" && _where.startsWith("behind"));
  });

  it("is refused when it names its catalog itself", async () => {
    bring(clone, null);
    const refused = await run(clone, "uninstall", "photos", "--yes", "--db", "slipway.db", "--format", "json");
    expect(errorOf(refused)).toMatchObject({ code: "STORE_IN_CATALOG", file: join(clone, "slipway.db") });
  });

  it.each(["serve", "dev"])(
    "is not what %s takes by itself: its state lies in the user's state folder",
    async (command) => {
      bring(clone, "../../../..");
      const before = listFiles(clone);
      const env = { XDG_STATE_HOME: join(folder, "state") };
      const args = [command, "--catalog", "apps", "--listen", "127.0.0.1:0", "--no-token", "--standin-speed", "50"];
      const child = startSlipway(args, env, clone);
      try {
        const told = await untilOutput(child, /^\{"url".*\}$/m);
        const [, db = ""] = /^state: (\S+) \(--db names another\)$/m.exec(told) ?? [];
        expect(db).toMatch(new RegExp(`^${folder}/state/slipway/apps-[0-9a-f]{16}/slipway\\.db$`));
        expect(statSync(join(db, "..")).mode & 0o777).toBe(0o700);
        const { url } = z.object({ url: z.string() }).parse(JSON.parse(/^\{"url".*\}$/m.exec(told)?.[0] ?? ""));
        expect(await (await fetch(`${url}/api/tasks`)).json()).toMatchObject({ tasks: [] });
        const listed = await run(folder, "tasks", "--catalog", "clone/apps", "--format", "json");
        expect(JSON.parse(listed.stdout)).toMatchObject({ tasks: [] });
      } finally {
        child.kill("SIGTERM");
        await endOf(child);
      }
      expect(listFiles(clone)).toEqual(before);
    },
  );

  it("leads its stand-in nowhere, wherever it was put", async () => {
    const own = join(folder, "own");
    mkdirSync(own);
    bring(own, folder);
    const args = ["uninstall", "photos", "--remove-data", "--yes", "--format", "json"];
    const refused = await run(own, ...args, "--catalog", join(clone, "apps"), "--db", "slipway.db");
    expect(errorOf(refused)).toMatchObject({ code: "HOST_STANDIN_STATE", message: expect.stringContaining(LOCATION) });
    expect(readFileSync(join(victim, "holiday.jpg"), "utf8")).toBe("of the person who cloned");
  });
});

describe("a command without a catalog and a database", () => {
  it.each([
    ["tasks", []],
    ["retry", ["t1"]],
    ["inspect", []],
    ["backup", ["copy.db"]],
  ])("takes none from the working directory: %s", async (command, args) => {
    bring(folder, null);
    const { exitCode, stderr } = await run(folder, command, ...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("no database is named")]);
  });

  it("takes none from it for restore and for a real host either", async () => {
    bring(folder, null);
    expect(await run(folder, "restore", "slipway.db")).toMatchObject({ exitCode: 2 });
    const host = ["--host", "wss://nas.invalid", "--host-user", "a", "--api-key-file", "key", "--locations", "l.json"];
    writeFileSync(join(folder, "key"), "key");
    writeFileSync(join(folder, "l.json"), "{}");
    const { stderr } = await run(folder, "serve", "--catalog", join(clone, "apps"), ...host);
    expect(stderr).toContain("a real host needs --db");
  });
});

describe("a database another user could have written is refused, and its rights stay as they are", () => {
  const FOREIGN = 12_345;
  const CASES: readonly (readonly [string, () => void, string])[] = [
    ["its mode lets everyone write", () => chmodSync(db(), 0o666), "can be written by everyone"],
    ["its mode lets a group write", () => giveGroup(db()), `can be written by the group ${FOREIGN}`],
    ["its folder lets everyone write", () => chmodSync(own(), 0o777), "can be written by everyone"],
    ["everyone may add files to its folder", () => chmodSync(own(), 0o1777), "can be written by everyone"],
    ["a folder above lets everyone write", () => chmodSync(folder, 0o777), "can be written by everyone"],
    [
      "its stand-in's folder lets everyone write",
      () => chmodSync(`${db()}.standin`, 0o777),
      "can be written by everyone",
    ],
    ["its log lets everyone write", () => writeOpen(`${db()}-wal`), "can be written by everyone"],
    ["its lock lets everyone write", () => writeOpen(`${db()}.lock`), "can be written by everyone"],
    ["its witness lets everyone write", () => chmodSync(`${db()}.witness`, 0o666), "can be written by everyone"],
    ["its witness leads back to a shared folder", () => shareWitness(), "can be written by everyone"],
    ["it belongs to another user", () => give(db()), `belongs to the user ${FOREIGN}`],
    ["a folder above belongs to another user", () => give(folder), `belongs to the user ${FOREIGN}`],
    ["a link to it belongs to another user", () => giveLink(), `belongs to the user ${FOREIGN}`],
  ];
  const own = (): string => join(folder, "own");
  const db = (): string => join(own(), "slipway.db");
  const give = (path: string): void => chownSync(path, FOREIGN, FOREIGN);
  const writeOpen = (path: string): void => {
    writeFileSync(path, "");
    chmodSync(path, 0o666);
  };
  const giveGroup = (path: string): void => {
    chownSync(path, 0, FOREIGN);
    chmodSync(path, 0o660);
  };
  const shareWitness = (): void => {
    chmodSync(folder, 0o1777);
    renameSync(`${db()}.witness`, join(folder, "witness"));
    symlinkSync("../witness", `${db()}.witness`);
  };
  const giveLink = (): void => {
    renameSync(own(), join(folder, "real"));
    symlinkSync("real", own());
    lchownSync(own(), FOREIGN, FOREIGN);
  };

  it.each(CASES.filter(([title]) => IS_ROOT || !/group|belongs/.test(title)))("%s", async (_title, open, reason) => {
    mkdirSync(own());
    bring(own(), null);
    open();
    const before = listFiles(own());
    const args = ["install", "photos", "--yes", "--format", "json"];
    const refused = await run(folder, ...args, "--catalog", join(clone, "apps"), "--db", db());
    expect(errorOf(refused)).toMatchObject({ code: "STORE_UNTRUSTED", message: expect.stringContaining(reason) });
    expect(errorOf(refused).hint).toContain("nobody else can write");
    expect(listFiles(own())).toEqual(before);
  });

  it.each([
    ["serve", ["--catalog", "clone/apps", "--listen", "127.0.0.1:0", "--no-token"]],
    ["standin", ["--dir", "shared/state/of/standin", "--catalog", "clone/apps"]],
  ])("%s makes no folder in one that everyone may write", async (command, args) => {
    mkdirSync(join(folder, "shared"));
    chmodSync(join(folder, "shared"), 0o777);
    const env = { XDG_STATE_HOME: join(folder, "shared/state") };
    const { exitCode, stderr } = await endOf(startSlipway([command, ...args], env, folder));
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("STORE_UNTRUSTED")]);
    expect(readdirSync(join(folder, "shared"))).toEqual([]);
  });

  it("one in a folder of its owner below a shared one is taken", async () => {
    const place = join(folder, "shared/own");
    mkdirSync(place, { recursive: true });
    chmodSync(join(folder, "shared"), 0o1777);
    const at = join(place, "slipway.db");
    const options = ["--catalog", join(clone, "apps"), "--db", at, "--standin-speed", "50"];
    expect(await run(folder, "install", "photos", "--yes", ...options)).toMatchObject({ exitCode: 0 });
    const reader = openReader(at);
    expect(reader.rootTrees()).toHaveLength(1);
    reader.close();
    await endStandin(`${at}.standin`);
  });
});
