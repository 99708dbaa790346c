/** `--local-root`: an engine beside the host reaches the host's files where this machine sees them. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { readLocalRoot } from "../../src/cli/options/local-root.ts";
import type { StandinHost } from "../../src/standin/standin.ts";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import { startStandin, temporaryDirectory } from "../support/engine/standin-client.ts";
import { rawScript } from "../support/scripts/scripts.ts";

const LOCATIONS = { ApplicationsPerformance: "/mnt/tank/ApplicationsPerformance" };
const DATA = `${LOCATIONS.ApplicationsPerformance}/shop/data`;
const SHOP = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/shop/data" }],
};

interface Beside {
  readonly host: StandinHost;
  run(...args: readonly string[]): Promise<CommandResult>;
}

/** A host reached as a real one is, whose files this machine sees in the stand-in's directory. */
async function openBeside(): Promise<Beside> {
  const folder = temporaryDirectory();
  const catalog = join(folder, "catalog");
  mkdirSync(catalog);
  writeFileSync(join(catalog, "shop.json"), JSON.stringify(rawScript(SHOP)));
  const host = await startStandin({ dir: join(folder, "host"), catalogs: [catalog] });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const account = ["--host", host.url, "--insecure", "--host-user", host.username];
  const files = [
    "--api-key-file",
    write("key", host.apiKey),
    "--locations",
    write("at.json", JSON.stringify(LOCATIONS)),
  ];
  const engine = ["--db", join(folder, "slipway.db"), "--catalog", catalog, "--dev"];
  return { host, run: (...args) => runCommand(...args, ...account, ...files, ...engine, "--format", "json") };
}

const MARKS = /notRemoved: [^"]*/;

describe("an uninstall with data", () => {
  it("removes the app's directory through --local-root", async () => {
    const { host, run } = await openBeside();
    const root = ["--local-root", host.dir];
    expect((await run("install", "shop", ...root)).exitCode).toBe(0);
    writeFileSync(join(host.localPath(DATA), "file"), "x");
    const { exitCode, stdout } = await run("uninstall", "shop", "--yes", "--remove-data", ...root);
    expect([exitCode, MARKS.exec(stdout)]).toEqual([0, null]);
    expect(existsSync(host.localPath(DATA))).toBe(false);
  });

  it("leaves the directory, and says so, where this machine does not see the host's files", async () => {
    const { host, run } = await openBeside();
    await run("install", "shop");
    const { stdout } = await run("uninstall", "shop", "--yes", "--remove-data");
    expect(MARKS.exec(stdout)?.[0]).toContain(DATA);
    expect(existsSync(host.localPath(DATA))).toBe(true);
  });
});

it("is an option of every command that opens an engine on a real host", async () => {
  const helps = await Promise.all(
    COMMANDS.map(async ({ name }) => ({ name, help: (await runCommand(name, "--help")).stdout })),
  );
  const onHosts = helps.filter(({ help }) => help.includes("--api-key-file"));
  expect(onHosts.length).toBeGreaterThan(15);
  expect(onHosts.filter(({ help }) => !help.includes("--local-root")).map(({ name }) => name)).toEqual([]);
});

describe("a directory that can't be it is refused before anything is begun:", () => {
  it("on the command line, with a hint", async () => {
    const { run } = await openBeside();
    const { exitCode, stdout } = await run("install", "shop", "--local-root", "mnt");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: "CLI_LOCAL_ROOT_INVALID",
        message: '"mnt" is not an absolute path',
        hint: expect.stringContaining("/host"),
      },
    });
  });

  it("with the stand-in, whose files lie beside the database", async () => {
    const { stdout } = await runCommand("drift", "--local-root", "/", "--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "CLI_USAGE" } });
  });

  const folder = (): string => {
    const dir = temporaryDirectory();
    mkdirSync(join(dir, LOCATIONS.ApplicationsPerformance), { recursive: true });
    writeFileSync(join(dir, "file"), "");
    return dir;
  };

  it.each([
    ["a file", (dir: string) => join(dir, "file"), "is not a directory"],
    ["nothing", (dir: string) => join(dir, "none"), "does not exist"],
    [
      "the host's mnt itself",
      (dir: string) => join(dir, "mnt"),
      'mnt/mnt/tank/ApplicationsPerformance" does not exist',
    ],
  ])("%s", (_title, at, message) => {
    expect(() => readLocalRoot(at(folder()), LOCATIONS)).toThrow(message);
  });

  it("the right one is taken, however it is written, and / is the default", () => {
    const dir = folder();
    expect(readLocalRoot(`${dir}/./`, LOCATIONS)).toBe(dir);
    expect(readLocalRoot("/", {})).toBeUndefined();
  });
});
