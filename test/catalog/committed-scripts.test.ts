/** Install scripts of an earlier commit, of checkouts that may be anybody's. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCommit } from "../../src/adapters/catalog/git/committed-scripts.ts";
import { rawScript } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();
let checkout: string;
let catalog: string;

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd: checkout, stdio: "pipe" });
const script = (version: string) => JSON.stringify(rawScript({ script: { version } }));
const commit = (tag: string) => {
  git("add", "--all", ".");
  git("commit", "-m", tag);
  git("tag", tag);
};

beforeEach(() => {
  checkout = join(folder.path, "checkout");
  catalog = join(checkout, "apps [1]");
  mkdirSync(catalog, { recursive: true });
  git("init", "--initial-branch=main");
  writeFileSync(join(checkout, "README.md"), "apps");
  commit("empty");
  writeFileSync(join(catalog, "notes.json"), script("1.0.0"));
  writeFileSync(join(catalog, "notes@0.9.json"), script("0.9.0"));
  writeFileSync(join(catalog, "notes.check.json"), "{}");
  writeFileSync(join(catalog, "big.json"), " ".repeat(1_100_000));
  mkdirSync(join(catalog, "folder.json"));
  writeFileSync(join(catalog, "folder.json", "inside"), "x");
  commit("one");
  writeFileSync(join(catalog, "notes.json"), script("2.0.0"));
  commit("two");
});
afterEach(() => void vi.unstubAllEnvs());

describe("the scripts of a commit", () => {
  it("are those of the catalog's own folder, by app", async () => {
    const { read } = await openCommit(catalog, "one");
    expect(await read("notes")).toEqual([
      { file: "notes.json", text: script("1.0.0") },
      { file: "notes@0.9.json", text: script("0.9.0") },
    ]);
    expect(await read("big")).toEqual([{ file: "big.json", text: null }]);
    for (const other of ["folder", "none", "README.md"]) expect(await read(other)).toEqual([]);
  });

  it.each(["two", "main", "HEAD", "HEAD~0", "refs/tags/two"])("are named by %s as git names commits", async (ref) => {
    const [notes] = await (await openCommit(catalog, ref)).read("notes");
    expect(notes?.text).toBe(script("2.0.0"));
  });

  it("are none where the folder was not there", async () => {
    expect(await (await openCommit(catalog, "empty")).read("notes")).toEqual([]);
  });

  it("are those of a folder that is the checkout itself", async () => {
    writeFileSync(join(checkout, "notes.json"), script("3.0.0"));
    commit("three");
    expect(await (await openCommit(checkout, "three")).read("notes")).toHaveLength(1);
  });

  it.each(["none", "HEAD~99", "HEAD:README.md", "", "a\0b", "x".repeat(251), "--help", "--git-dir=/etc", "-q"])(
    "are refused of %j with what helps",
    async (ref) => {
      await expect(openCommit(catalog, ref)).rejects.toMatchObject({ code: "CATALOG_REF_UNKNOWN" });
    },
  );

  it("are refused where there is no checkout, none that is a repository, and no git", async () => {
    const refused = { code: "CATALOG_NO_CHECKOUT", message: expect.stringContaining("not a git repository") };
    await expect(openCommit(folder.path, "main")).rejects.toMatchObject(refused);
    vi.stubEnv("PATH", folder.path);
    const missing = { code: "CATALOG_NO_CHECKOUT", message: expect.stringContaining("git can't be run") };
    await expect(openCommit(catalog, "main")).rejects.toMatchObject(missing);
  });
});

describe("a checkout of somebody else", () => {
  it("starts one program at a time, and so many for an app, whatever number of versions it has", async () => {
    for (let count = 0; count < 60; count += 1) writeFileSync(join(catalog, `many@${count}.json`), script("1.0.0"));
    commit("many");
    const [real] = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).split("\n");
    const [held, overlapped] = [join(folder.path, "held"), join(folder.path, "overlapped")];
    const counting = `#!/bin/sh\nmkdir "${held}" || touch "${overlapped}"\n"${real}" "$@"\nstatus=$?\nrmdir "${held}"\nexit $status\n`;
    writeFileSync(join(folder.path, "git"), counting, { mode: 0o755 });
    vi.stubEnv("PATH", `${folder.path}:${process.env["PATH"]}`);
    const read = await (await openCommit(catalog, "many")).read("many");
    expect([read.length, read.filter(({ text }) => text !== null).length]).toEqual([60, 50]);
    expect(existsSync(overlapped)).toBe(false);
  });

  it("runs nothing its configuration, attributes and hooks name", async () => {
    const ran = join(folder.path, "ran");
    const program = join(folder.path, "program");
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> "${ran}"\nexit 1\n`);
    chmodSync(program, 0o755);
    writeFileSync(join(checkout, ".gitattributes"), "*.json filter=evil diff=evil merge=evil\n");
    commit("attributes");
    for (const hook of readdirSync(join(checkout, ".git", "hooks"))) rmSync(join(checkout, ".git", "hooks", hook));
    for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"])
      execFileSync("cp", [program, join(checkout, ".git", "hooks", hook)]);
    const names = [
      "core.fsmonitor",
      "core.pager",
      "core.editor",
      "core.sshCommand",
      "core.gitProxy",
      "core.askPass",
      "core.alternateRefsCommand",
      "pager.rev-parse",
      "pager.ls-tree",
      "pager.cat-file",
      "diff.external",
      "diff.evil.textconv",
      "filter.evil.smudge",
      "filter.evil.process",
      "remote.origin.uploadpack",
      "gpg.program",
      "credential.helper",
    ];
    for (const name of names) git("config", name, program);
    for (const verb of ["rev-parse", "ls-tree", "cat-file"]) git("config", `alias.${verb}`, `!${program}`);
    rmSync(ran, { force: true });
    const [notes] = await (await openCommit(catalog, "one")).read("notes");
    expect(notes?.text).toBe(script("1.0.0"));
    expect(existsSync(ran)).toBe(false);
  });

  it("fetches nothing where it says that its objects lie elsewhere", async () => {
    const ran = join(folder.path, "ran");
    const program = join(folder.path, "program");
    writeFileSync(program, `#!/bin/sh\ntouch "${ran}"\nexit 1\n`);
    chmodSync(program, 0o755);
    const lost = git("rev-parse", "one:apps [1]/notes.json").toString().trim();
    const objects = join(checkout, ".git", "objects");
    rmSync(join(objects, lost.slice(0, 2), lost.slice(2)), { force: true });
    for (const [name, value] of [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", folder.path],
      ["remote.origin.uploadpack", program],
    ] as const)
      git("config", name, value);
    const opened = await openCommit(catalog, "one").catch((error: unknown) => error);
    if (opened instanceof Error) expect(opened).toMatchObject({ code: "CATALOG_REF_UNKNOWN" });
    expect(existsSync(ran)).toBe(false);
    // the same without the precaution, so that the test can fail
    expect(() => git("cat-file", "blob", lost)).toThrow();
    expect(existsSync(ran)).toBe(true);
  });

  it("that keeps git waiting is let go of when the signal comes", async () => {
    rmSync(join(checkout, ".git", "config"));
    execFileSync("mkfifo", [join(checkout, ".git", "config")]);
    const stop = new AbortController();
    const opening = openCommit(catalog, "one", stop.signal);
    setImmediate(() => stop.abort(new Error("stopped")));
    await expect(opening).rejects.toThrow("stopped");
  });

  it("is not read where its .git is another user's, or no folder and no file", async () => {
    vi.spyOn(process, "geteuid").mockReturnValue(4_242);
    await expect(openCommit(catalog, "main")).rejects.toThrow("belongs to another user");
    vi.restoreAllMocks();
    rmSync(join(checkout, ".git"), { recursive: true });
    execFileSync("mkfifo", [join(checkout, ".git")]);
    await expect(openCommit(catalog, "main")).rejects.toThrow("neither a folder nor a file");
  });
});
