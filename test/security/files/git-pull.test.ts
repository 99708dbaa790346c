/**
 * An engine that pulls a catalog obeys nothing its authors can commit. The remotes are real bare repositories; the first
 * test comes through a real `serve --git-pull`.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { pullBeforeSync } from "../../../src/adapters/catalog/git/git-checkout.ts";
import { readReady } from "../../../src/standin/ready.ts";
import { rawScript } from "../../support/scripts/scripts.ts";
import { endOf, startSlipway, untilOutput } from "../../support/slipway-process.ts";

let folder: string;
let author: string;
let checkout: string;
/** Made by any program that should not run. */
let marker: string;

const ME = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@x", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@x" };
const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", args, { cwd, stdio: "pipe", env: { ...process.env, ...ME, GIT_CONFIG_GLOBAL: "/dev/null" } });

function commit(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(author, name)), { recursive: true });
    writeFileSync(join(author, name), text);
  }
  push();
}

function push(): void {
  git(author, "add", "--force", ".");
  git(author, "commit", "-m", "catalog");
  git(author, "push", "origin", "HEAD:main");
}

/** Runs a command of git's own in the author's repository; its output without the line's end. */
const plumb = (args: readonly string[], input = "") =>
  execFileSync("git", args, { cwd: author, input, env: { ...process.env, ...ME } })
    .toString()
    .trim();

/** Pushes a commit of a tree that no folder has to hold; the author's own folder stays as it is. */
function pushTree(tree: string): void {
  git(author, "reset", "--soft", plumb(["commit-tree", tree, "-p", "HEAD", "-m", "catalog"]));
  git(author, "push", "origin", "HEAD:main");
}

const script = (version: string) => JSON.stringify(rawScript({ script: { version } }));

/** What a sync of the catalog in a folder of the checkout found: its apps and the pull's fault. */
async function pull(subfolder: string, deadlineMs?: number) {
  const catalog = pullBeforeSync(await openCatalogDirectory(join(checkout, subfolder)), deadlineMs);
  const { problems } = await catalog.sync();
  return {
    apps: catalog.entries().map(({ appId, dictionary }) => `${appId} ${dictionary?.script.version}`),
    fault: problems.find(({ file }) => file === ".git")?.problems[0]?.message ?? null,
  };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-git-pull-"));
  [author, checkout, marker] = [join(folder, "author"), join(folder, "checkout"), join(folder, "ran")];
  git(folder, "init", "--bare", "--initial-branch=main", "origin.git");
  git(folder, "clone", "origin.git", "author");
  commit({ "apps/notes.json": script("1.0.0") });
  git(folder, "clone", "origin.git", "checkout");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("a pull of a catalog in a folder of a checkout", () => {
  it("takes the checkout for the repository, not the folder in which a commit laid one out", async () => {
    commit({
      "apps/HEAD": "ref: refs/heads/main\n",
      "apps/objects/x": "",
      "apps/refs/heads/x": "",
      "apps/config": `[core]
        repositoryformatversion = 0
        bare = false
        worktree = .
      [remote "origin"]
        url = /nowhere
        uploadpack = "touch ${marker}; false"
      [branch "main"]
        remote = origin
        merge = refs/heads/main
      `,
    });
    git(checkout, "pull");
    commit({ "apps/notes.json": script("1.1.0") });
    const serve = startSlipway([
      ...["serve", "--listen", "127.0.0.1:0", "--git-pull", "--sync-every", "1"],
      ...["--catalog", join(checkout, "apps"), "--db", join(folder, "slipway.db"), "--standin-speed", "50"],
    ]);
    try {
      const seen = await untilOutput(serve, /catalog changed|CATALOG_PULL_FAILED/);
      expect(existsSync(marker)).toBe(false);
      expect(seen).toContain("catalog changed");
    } finally {
      serve.kill("SIGTERM");
      await endOf(serve);
      const standin = readReady(join(folder, "slipway.db.standin"))?.pid;
      if (standin !== undefined) process.kill(standin, "SIGTERM");
    }
  });

  it.each(["smudge", "process"])("calls no %s filter for the attributes of a commit", async (kind) => {
    git(checkout, "config", `filter.big.${kind}`, `touch ${marker}; cat`);
    git(checkout, "config", "filter.big.required", "true");
    commit({ ".gitattributes": "* filter=big\n", "apps/notes.json": script("1.1.0") });
    expect(await pull("apps")).toEqual({ apps: ["notes 1.1.0"], fault: null });
    expect(existsSync(marker)).toBe(false);
  });

  it("refuses a configuration whose filter's name can't be said on a command line", async () => {
    git(checkout, "config", "filter.a=b.smudge", `touch ${marker}; cat`);
    commit({ ".gitattributes": "* filter=a=b\n", "apps/notes.json": script("1.1.0") });
    expect((await pull("apps")).fault).toContain("filter.a=b.smudge");
    expect(existsSync(marker)).toBe(false);
  });

  it("refuses a configuration that includes another file: it may be one of a commit", async () => {
    git(checkout, "config", "include.path", "../gitconfig");
    commit({ gitconfig: `[core]\n  sshCommand = touch ${marker}\n[alias]\n  pull = !touch ${marker}\n` });
    const { apps, fault } = await pull("apps");
    expect(apps).toEqual(["notes 1.0.0"]);
    expect(fault).toContain("include.path");
    expect(existsSync(marker)).toBe(false);
  });

  it("writes a link of a commit as the text it is, never as a link", async () => {
    symlinkSync("/etc", join(author, "apps", "etc"));
    symlinkSync("/etc/hostname", join(author, "apps", "media.json"));
    push();
    await pull("apps");
    expect(lstatSync(join(checkout, "apps", "etc")).isFile()).toBe(true);
    expect(readFileSync(join(checkout, "apps", "media.json"), "utf8")).toBe("/etc/hostname");
  });

  it("fetches no submodule a commit declares", async () => {
    git(folder, "init", "--initial-branch=main", "inner");
    git(join(folder, "inner"), "commit", "--allow-empty", "-m", "inner");
    git(author, "-c", "protocol.file.allow=always", "submodule", "add", join(folder, "inner"), "apps/inner");
    git(checkout, "config", "submodule.recurse", "true");
    git(checkout, "config", "submodule.apps/inner.url", join(folder, "inner"));
    git(checkout, "config", "submodule.apps/inner.update", `!touch ${marker}`);
    push();
    expect((await pull("apps")).fault).toBeNull();
    expect(existsSync(join(checkout, ".git", "modules"))).toBe(false);
    expect(existsSync(marker)).toBe(false);
  });

  it("speaks no protocol that runs a program named in the remote's address", async () => {
    git(checkout, "config", "protocol.ext.allow", "always");
    git(checkout, "remote", "set-url", "origin", `ext::sh -c touch% ${marker}`);
    expect((await pull("apps")).fault).toContain("transport 'ext' not allowed");
    expect(existsSync(marker)).toBe(false);
  });

  it("runs nothing the user's configuration or the engine's environment names", async () => {
    const home = join(folder, "home");
    mkdirSync(home);
    writeFileSync(join(home, ".gitconfig"), `[filter "big"]\n  smudge = touch ${marker}; cat\n`);
    commit({ ".gitattributes": "* filter=big\n", "apps/notes.json": script("1.1.0") });
    vi.stubEnv("HOME", home);
    vi.stubEnv("GIT_EXTERNAL_DIFF", `touch ${marker}`);
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "remote.origin.uploadpack");
    vi.stubEnv("GIT_CONFIG_VALUE_0", `touch ${marker}; git-upload-pack`);
    expect(await pull("apps")).toEqual({ apps: ["notes 1.1.0"], fault: null });
    expect(existsSync(marker)).toBe(false);
  });

  it("runs no program of the checkout for a relative folder in PATH", async () => {
    writeFileSync(join(author, "ssh"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    push();
    git(checkout, "pull");
    git(checkout, "remote", "set-url", "origin", "ssh://127.0.0.1:9/none.git");
    vi.stubEnv("PATH", `.:${process.env["PATH"]}`);
    expect((await pull("apps")).fault).not.toBeNull();
    expect(existsSync(marker)).toBe(false);
  });

  it("ends git, and what it started, where the remote never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    git(checkout, "remote", "set-url", "origin", `git://127.0.0.1:${port}/none.git`);
    try {
      const [[socket]] = await Promise.all([
        once(silent, "connection"),
        expect(pull("apps", 500)).resolves.toMatchObject({
          fault: "git can't fast-forward the catalog: it took longer than 0.5 s",
        }),
      ]);
      // Whoever held the connection is gone.
      if (!socket.readableEnded) await once(socket.resume(), "end");
    } finally {
      silent.close();
    }
  });

  it("writes no file of a commit that is too large on the disk, and goes on with the next one", async () => {
    // 300 names of one megabyte of zeros: a few kilobytes to fetch
    const zeros = plumb(["hash-object", "-w", "--stdin"], "0".repeat(1024 * 1024));
    const large = Array.from({ length: 300 }, (_, n) => `100644 blob ${zeros}\t${n}`);
    pushTree(plumb(["mktree"], [...large, `040000 tree ${plumb(["rev-parse", "HEAD:apps"])}\tapps`].join("\n")));
    const { apps, fault } = await pull("apps");
    expect(apps).toEqual(["notes 1.0.0"]);
    expect(fault).toMatch(/have 3145\d{5} bytes, 268435456 are allowed$/);
    expect(existsSync(join(checkout, "0"))).toBe(false);
    commit({ "apps/notes.json": script("1.2.0") });
    expect(await pull("apps")).toEqual({ apps: ["notes 1.2.0"], fault: null });
  });

  it.each([
    ["* text=auto", null],
    ["* ident", /may be written as \d+ by their attributes/],
    ["*.txt working-tree-encoding=UTF-32", /may be written as \d+ by their attributes/],
  ])("counts how far attributes enlarge a commit: %s", async (attributes, fault) => {
    const zeros = plumb(["hash-object", "-w", "--stdin"], "0".repeat(1024 * 1024));
    const files = Array.from({ length: 20 }, (_, n) => `100644 blob ${zeros}\t${n}`);
    const named = `100644 blob ${plumb(["hash-object", "-w", "--stdin"], attributes)}\t.gitattributes`;
    pushTree(plumb(["mktree"], [...files, named, `040000 tree ${plumb(["rev-parse", "HEAD:apps"])}\tapps`].join("\n")));
    expect((await pull("apps")).fault).toEqual(fault === null ? null : expect.stringMatching(fault));
    expect(existsSync(join(checkout, "0"))).toBe(fault === null);
  });

  it("lists no tree of trees to its end", async () => {
    let tree = plumb(["rev-parse", "HEAD:apps"]);
    for (let depth = 0; depth < 5; depth++) {
      tree = plumb(["mktree"], Array.from({ length: 12 }, (_, n) => `040000 tree ${tree}\t${n}`).join("\n"));
    }
    pushTree(tree);
    expect((await pull("apps")).fault).toContain("more than 100000 files");
    expect(existsSync(join(checkout, "0"))).toBe(false);
  });

  it("gives no git more memory, nor a larger file, than a catalog needs", async () => {
    const path = process.env["PATH"] ?? "";
    const real = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
    mkdirSync(join(folder, "bin"));
    const probe = `#!/bin/sh\ncat /proc/self/limits >>"${marker}"\nexec "${real}" "$@"\n`;
    writeFileSync(join(folder, "bin", "git"), probe, { mode: 0o755 });
    vi.stubEnv("PATH", `${join(folder, "bin")}:${path}`);
    commit({ "apps/notes.json": script("1.1.0") });
    writeFileSync(marker, "");
    expect((await pull("apps")).fault).toBeNull();
    const limits = readFileSync(marker, "utf8");
    const softLimits = (name: string) =>
      [...limits.matchAll(new RegExp(`^Max ${name} +(\\S+)`, "gm"))].map(([, soft]) => soft);
    expect(new Set(softLimits("data size"))).toEqual(new Set([`${512 * 1024 * 1024}`]));
    expect(new Set(softLimits("file size"))).toEqual(new Set([`${256 * 1024 * 1024}`]));
  });

  it("refuses a checkout that belongs to another user", async () => {
    execFileSync("chown", ["-R", "nobody", join(checkout, ".git")]);
    expect((await pull("apps")).fault).toContain("belongs to another user");
  });
});
