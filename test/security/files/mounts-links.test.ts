/** An app's container rearranges its mounts while a hook reads them: what lies outside never reaches the hook. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { WITHIN_MS } from "../../support/within.ts";

/** Stands in every file outside of the app's mounts. */
const MARKER = "marker-outside";

let folder: string;
/** Where the host's files lie on this machine. */
let local: string;
let app: string;
let locations: Record<string, string>;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-mounts-")));
  local = join(folder, "host");
  app = join(local, "mnt/tank/apps/demo");
  mkdirSync(join(app, "data/nested"), { recursive: true });
  mkdirSync(join(app, "config"));
  mkdirSync(join(local, "mnt/tank/apps/other"));
  mkdirSync(join(folder, "outside"));
  for (const at of [app, join(app, "data/nested"), join(app, "config")]) writeFileSync(join(at, "a.txt"), "inside");
  for (const at of [join(folder, "outside"), join(local, "mnt/tank/apps/other")]) {
    writeFileSync(join(at, "a.txt"), MARKER);
    const database = new DatabaseSync(join(at, "a.db"));
    database.exec(`CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('${MARKER}')`);
    database.close();
  }
  locations = { ApplicationsPerformance: "/mnt/tank/apps" };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SCRIPT = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: ["config", "data", "data/nested"].map((name) => ({
    path: `$LOCATION(ApplicationsPerformance)/demo/${name}`,
  })),
  app_values: {
    storage: {
      config: "$MOUNTED_HOST_PATH($LOCATION(ApplicationsPerformance)/demo/config, /config)",
      data: "$MOUNTED_HOST_PATH($LOCATION(ApplicationsPerformance)/demo/data, /data)",
      nested: "$MOUNTED_HOST_PATH($LOCATION(ApplicationsPerformance)/demo/data/nested, /data/nested)",
    },
  },
};

/** Installs the app; `look` presses the hook whose body this is, and resolves with what the hook wrote down. */
async function installed(body: string) {
  const script = `
    import { readFileSync, readdirSync, statSync } from "node:fs";
    import { Database } from "bun:sqlite";
    const told = (look) => { try { return String(look()); } catch (error) { return \`\${error.code}: \${error.message}\`; } };
    export async function run(ctx) {
      const at = (container) => ctx.mounts.find(({ containerPath }) => containerPath === container).localPath;
      const database = (path) => { using db = new Database(path, { readonly: true }); return db.query("SELECT name FROM t").get().name; };
      ${body}
    }`;
  const hook = {
    id: "look",
    title: "Look",
    events: ["userAction"],
    rerun: "converge",
    entrypoint: "run",
    scriptContent: script,
  };
  const { engine, host, store } = await openWorld({
    catalog: { demo: { ...SCRIPT, hooks: [hook] } },
    host: { datasets: ["tank", "tank/apps", "tank/media"], localRoot: local, facts: { locations } },
  });
  const { id } = await engine.install("demo");
  expect((await settledTask(engine, id)).state).toBe("COMPLETED");
  const look = async () => {
    const task = await engine.runAction("demo", "look");
    const { state, failure } = await engine.settled(task.id, AbortSignal.timeout(WITHIN_MS));
    if (state !== "COMPLETED") return [`${state}: ${failure?.message}`];
    return store.hookLog(task.id, 100).map(({ line }) => line);
  };
  return { look, host };
}

/** All looks a hook has, at a directory. */
const LOOK_AT = (container: string) => `
  const place = at(${JSON.stringify(container)});
  ctx.log(told(() => readFileSync(place + "/a.txt", "utf8")));
  ctx.log(told(() => readdirSync(place).join()));
  ctx.log(told(() => statSync(place + "/a.txt").size));
  ctx.log(told(() => database(place + "/a.db")));`;

describe("a mount that has become a link is refused by name, for reading, listing, stat and SQLite", () => {
  it.each([
    ["to a directory of the machine", () => join(folder, "outside")],
    ["to another app's directory in the same location", () => "../../other"],
    ["to a directory of its own app", () => "../config"],
    ["to the root of the processes", () => "/proc/self/root"],
  ])("%s", async (_, to) => {
    const { look } = await installed(LOOK_AT("/data/nested"));
    expect((await look())[0]).toBe("inside");
    renameSync(join(app, "data/nested"), join(app, "data/gone"));
    symlinkSync(to(), join(app, "data/nested"));
    const lines = await look();
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toContain('the mount "/mnt/tank/apps/demo/data/nested" is, or lies behind, a symbolic link');
    }
  });

  it("where a directory above it is the link", async () => {
    const { look } = await installed(LOOK_AT("/data/nested"));
    mkdirSync(join(folder, "outside/nested"));
    writeFileSync(join(folder, "outside/nested/a.txt"), MARKER);
    renameSync(join(app, "data"), join(app, "gone"));
    symlinkSync(join(folder, "outside"), join(app, "data"));
    for (const line of await look()) expect(line).toContain("a symbolic link");
  });
});

it("a mount of an inner location that an outer one's app has replaced by a link is refused", async () => {
  const { look } = await installed(LOOK_AT("/data/nested"));
  locations["Media"] = "/mnt/tank/apps/demo/data/nested";
  renameSync(join(app, "data/nested"), join(app, "data/gone"));
  symlinkSync(join(folder, "outside"), join(app, "data/nested"));
  for (const line of await look()) expect(line).toContain("a symbolic link");
});

it("a mount below none of the host's locations is refused, whatever lies there", async () => {
  const { look, host } = await installed(LOOK_AT("/elsewhere"));
  mkdirSync(join(local, "mnt/tank/elsewhere"));
  writeFileSync(join(local, "mnt/tank/elsewhere/a.txt"), MARKER);
  for (const hostPath of ["/mnt/tank/elsewhere", "/mnt/tank/apps/../elsewhere", "/mnt/tank/apps-not/../elsewhere"]) {
    host.script.setApp("demo", { mounts: [{ hostPath, containerPath: "/elsewhere" }] });
    for (const line of await look()) {
      expect(line).toContain(`the mount "${hostPath}" lies below none of the host's locations`);
    }
  }
});

describe("in a mount", () => {
  it("links that stay inside are followed, relative and absolute ones, with their circles cut", async () => {
    const { look } = await installed(`
      const place = at("/config");
      for (const name of ["relative", "absolute", "through/../../a.txt", "up", "circle", "chain39", "chain40"])
        ctx.log(told(() => readFileSync(place + "/" + name, "utf8")));`);
    const config = join(app, "config");
    mkdirSync(join(config, "sub/deep"), { recursive: true });
    symlinkSync("sub/deep/../../a.txt", join(config, "relative"));
    symlinkSync(join(config, "a.txt"), join(config, "absolute"));
    symlinkSync("sub/deep/../../sub/../a.txt", join(config, "up"));
    symlinkSync("circle", join(config, "circle"));
    symlinkSync("a.txt", join(config, "chain0"));
    for (let i = 1; i <= 40; i++) symlinkSync(`chain${i - 1}`, join(config, `chain${i}`));
    expect(await look()).toEqual([
      "inside",
      "inside",
      expect.stringContaining("EACCES"),
      "inside",
      expect.stringContaining("ELOOP"),
      "inside",
      expect.stringContaining("ELOOP"),
    ]);
  });

  it("links out, magic links, FIFOs, devices and sockets are refused", async () => {
    const names = ["out", "up", "root/etc/hostname", "environ", "fd/0", "other", "fifo", "zero", "socket"];
    const { look } = await installed(`
      const place = at("/config");
      for (const name of ${JSON.stringify(names)}) ctx.log(told(() => readFileSync(place + "/" + name, "utf8").length));`);
    const config = join(app, "config");
    symlinkSync(join(folder, "outside/a.txt"), join(config, "out"));
    symlinkSync("../../".repeat(12) + join(folder, "outside/a.txt"), join(config, "up"));
    symlinkSync("/proc/self/root", join(config, "root"));
    symlinkSync("/proc/self/environ", join(config, "environ"));
    symlinkSync("/dev/fd", join(config, "fd"));
    symlinkSync("../../other/a.txt", join(config, "other"));
    execFileSync("mkfifo", [join(config, "fifo")]);
    execFileSync("mknod", [join(config, "zero"), "c", "1", "5"]);
    execFileSync("python3", [
      "-c",
      "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])",
      join(config, "socket"),
    ]);
    const lines = await look();
    expect(lines).toHaveLength(names.length);
    for (const line of lines) expect(line).toContain("EACCES");
  });

  it("a giant without content ends the run before a byte of it is read", async () => {
    const { look } = await installed(`readFileSync(at("/config") + "/giant");`);
    writeFileSync(join(app, "config/giant"), "");
    truncateSync(join(app, "config/giant"), 2 ** 42);
    expect(await look()).toEqual([expect.stringContaining("a file is larger than the allowed")]);
  });
});

describe("while a process of the app rearranges them thousands of times", () => {
  let mover: ChildProcess | null = null;
  afterEach(async () => {
    if (mover === null || mover.exitCode !== null || mover.signalCode !== null) return;
    mover.kill("SIGKILL");
    await once(mover, "exit");
  });

  /** Runs `turn` over and over in another process, as a container would, until it is killed. */
  const rearrange = async (turn: string): Promise<void> => {
    const program = `
      const { renameSync, symlinkSync, unlinkSync, writeFileSync } = require("node:fs");
      const [app, outside] = process.argv.slice(1);
      for (let i = 0; ; i++) {
        ${turn}
        if (i === 10) process.stdout.write("moving");
      }`;
    mover = spawn(process.execPath, ["-e", program, app, join(folder, "outside")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (mover.stdout !== null) await once(mover.stdout, "data");
  };

  /** Looks 600 times in every way that is cheap, within what a journal keeps, and tells what was met how often. */
  const LOOK_AGAIN = (container: string, name: string) => `
    const met = {};
    const meet = (look) => { const what = told(look).replace(/'.*'/, ""); met[what] = (met[what] ?? 0) + 1; };
    for (let i = 0; i < 600; i++) {
      meet(() => readFileSync(at("${container}") + "${name}", "utf8"));
      meet(() => readdirSync(at("${container}")).filter((each) => each === "a.db").join());
      meet(() => "size " + statSync(at("${container}") + "${name}").size);
    }
    ctx.log(JSON.stringify(met));`;

  it.each([
    [
      "the mount itself",
      "/data/nested",
      "/a.txt",
      `renameSync(app + "/data/nested", app + "/data/away");
       symlinkSync(outside, app + "/data/nested");
       unlinkSync(app + "/data/nested");
       renameSync(app + "/data/away", app + "/data/nested");`,
    ],
    [
      "a file in it",
      "/config",
      "/a.txt",
      `symlinkSync(outside + "/a.txt", app + "/config/next");
       renameSync(app + "/config/next", app + "/config/a.txt");
       writeFileSync(app + "/config/whole", "inside");
       renameSync(app + "/config/whole", app + "/config/a.txt");`,
    ],
  ])("%s: never a byte, name or size from outside", async (_, container, name, turn) => {
    const { look } = await installed(LOOK_AGAIN(container, name));
    await rearrange(turn);
    const [line = "{}"] = await look();
    const met: Record<string, number> = JSON.parse(line);
    // what lies outside: its content, its database's name, its size
    expect(Object.keys(met).filter((what) => [MARKER, "a.db", `size ${MARKER.length}`].includes(what))).toEqual([]);
    // the race was run: both states were met
    expect(met["inside"]).toBeGreaterThan(0);
    const refused = Object.keys(met).filter((what) => what.startsWith("EACCES"));
    expect(refused.length).toBeGreaterThan(0);
  });
});
