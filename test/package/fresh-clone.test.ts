/** A clone of the repository as somebody has it who ran `npm ci`: its `serve` shows the page, without a third command. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "slipway-clone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a fresh clone serves the page", async () => {
  const cwd = join(folder, "slipway");
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${ROOT}`, cwd]);
  symlinkSync(join(ROOT, "node_modules"), join(cwd, "node_modules"));
  expect(existsSync(join(cwd, "dist"))).toBe(false);
  // As `npm ci` runs it.
  await run("npm", ["run", "-s", "prepare"], { cwd });
  const serve = ["serve", "--no-token", "--allow-weak-sandbox", "--db", join(folder, "own.db")];
  const server = spawn("npm", ["run", "-s", "slipway", "--", ...serve, "--listen", "127.0.0.1:0"], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(server, "exit");
  try {
    const [line] = await once(server.stdout, "data");
    const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(line)));
    expect(await (await fetch(url)).text()).toContain('src="/assets/page.js"');
    expect((await fetch(`${url}/assets/page.js`)).status).toBe(200);
  } finally {
    // With what npm has started.
    if (server.pid !== undefined) process.kill(-server.pid, "SIGTERM");
    await ended;
  }
});
