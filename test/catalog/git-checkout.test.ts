import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import { pullBeforeSync } from "../../src/adapters/catalog/git/git-checkout.ts";
import type { Catalog } from "../../src/engine/ports/catalog.ts";
import { rawScript } from "../support/scripts/scripts.ts";

let folder: string;
let author: string;
let checkout: string;
let catalog: Catalog;

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd, stdio: "pipe" });
const write = (root: string, app: string, version: string) =>
  writeFileSync(join(root, `${app}.json`), JSON.stringify(rawScript({ script: { version } })));

/** The author commits one app's script and pushes it. */
function publish(app: string, version: string): void {
  write(author, app, version);
  git(author, "add", ".");
  git(author, "commit", "-m", `${app} ${version}`);
  git(author, "push", "origin", "HEAD:main");
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-git-"));
  [author, checkout] = [join(folder, "author"), join(folder, "checkout")];
  git(folder, "init", "--bare", "--initial-branch=main", "origin.git");
  git(folder, "clone", "origin.git", "author");
  publish("notes", "1.0.0");
  git(folder, "clone", "origin.git", "checkout");
  catalog = pullBeforeSync(await openCatalogDirectory(checkout));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const shown = () => catalog.entries().map(({ appId, dictionary }) => `${appId} ${dictionary?.script.version}`);
const pullFaults = async () =>
  (await catalog.sync()).problems.flatMap(({ file, problems }) =>
    problems.map(({ code, message }) => [file, code, message]),
  );

describe("the sync of a git checkout", () => {
  it("brings what was published since, and reports what changed", async () => {
    publish("media", "1.0.0");
    publish("notes", "1.1.0");
    expect(await catalog.sync()).toEqual({ added: ["media"], changed: ["notes"], removed: [], problems: [] });
    expect(shown()).toEqual(["media 1.0.0", "notes 1.1.0"]);
    expect(await catalog.sync()).toEqual({ added: [], changed: [], removed: [], problems: [] });
  });

  it("pulls once for syncs that come together", async () => {
    publish("media", "1.0.0");
    const [one, two] = await Promise.all([catalog.sync(), catalog.sync()]);
    expect(one).toBe(two);
  });

  it("reports a checkout that can't be fast-forwarded, loses nothing of it and reads it as it is", async () => {
    publish("notes", "2.0.0");
    write(checkout, "notes", "1.5.0");
    expect(await pullFaults()).toEqual([[".git", "CATALOG_PULL_FAILED", expect.stringContaining("error: Your local")]]);
    expect(shown()).toEqual(["notes 1.5.0"]);
  });

  it("reports a directory that is no checkout", async () => {
    rmSync(join(checkout, ".git"), { recursive: true });
    expect(await pullFaults()).toEqual([
      [".git", "CATALOG_PULL_FAILED", expect.stringContaining("not a git repository")],
    ]);
  });

  it("tells no credentials of an address it can't reach", async () => {
    git(checkout, "remote", "set-url", "origin", "http://user:secret-word@127.0.0.1:9/none.git");
    const [fault] = await pullFaults();
    expect(fault?.[2]).toContain("127.0.0.1:9");
    expect(JSON.stringify(fault)).not.toContain("secret-word");
  });

  it("runs no hook of the checkout", async () => {
    const hook = join(checkout, ".git", "hooks", "post-merge");
    writeFileSync(hook, `#!/bin/sh\ntouch "${join(folder, "ran")}"\n`);
    chmodSync(hook, 0o755);
    publish("media", "1.0.0");
    await catalog.sync();
    expect(shown()).toContain("media 1.0.0");
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});
