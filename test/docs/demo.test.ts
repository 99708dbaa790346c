import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readPart } from "../../scripts/documents/document-part.ts";
import { Apps } from "../../src/http/schemas/apps.ts";
import { codeBlock } from "../support/document.ts";
import { untilOutput } from "../support/slipway-process.ts";

const run = promisify(execFile);

/** Process ids, addresses and folders differ from run to run. */
function stable(text: string): readonly string[] {
  return text
    .replace(/process \d+/g, "process N")
    .replace(/127(\.\d+){3}:\d+/g, "ADDRESS")
    .replace(/\/tmp\/\S+/g, "FOLDER")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

it("the demo prints what the README shows, line after line, and how to look at its end in a browser", async () => {
  const { stdout } = await run("npm", ["run", "-s", "demo"], { maxBuffer: 10_000_000 });
  const printed = stable(stdout);
  let at = 0;
  for (const line of stable(codeBlock(readPart({ file: "README.md", name: "demo" })))) {
    const found = printed.indexOf(line, at);
    expect(found, `"${line}" is not printed after line ${at} of:\n${printed.join("\n")}`).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
  expect(printed.at(-1)).toContain("look at it in a browser: ");
  const [, command = ""] = /: npm run -s slipway -- (serve .+)\n$/.exec(stdout) ?? [];
  await expectPage([...command.split(" "), "--listen", "127.0.0.1:0"]);
});

/** The command serves a page in front of the engine with the apps of the demo, in a checkout where `npm ci` has run. */
async function expectPage(command: readonly string[]): Promise<void> {
  const checkout = mkdtempSync(join(tmpdir(), "slipway-checkout-"));
  for (const part of ["package.json", "machines", "sandbox", "scripts", "src"]) {
    cpSync(part, join(checkout, part), { recursive: true });
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(checkout, "node_modules"));
  // All that `npm ci` runs of its own, after it has put the packages there.
  await run("npm", ["run", "-s", "prepare"], { cwd: checkout });
  // With the processes that npm starts, which don't all pass a signal on.
  const served = spawn("npm", ["run", "-s", "slipway", "--", ...command], {
    ...{ cwd: checkout, stdio: ["ignore", "pipe", "pipe"], detached: true },
  });
  // Its exit, not the end of its output: the stand-in it started holds that open.
  const exited = once(served, "exit");
  try {
    const { url } = JSON.parse((await untilOutput(served, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "");
    expect(await (await fetch(url)).text()).toContain('src="/assets/page.js"');
    expect(await (await fetch(`${url}/assets/page.js`)).text()).toContain("slip-app");
    const { apps } = Apps.parse(await (await fetch(`${url}/api/apps?installed=true`)).json());
    expect(apps.map(({ appId }) => appId)).toEqual(["demo-media", "demo-notes"]);
  } finally {
    if (served.pid !== undefined) process.kill(-served.pid, "SIGTERM");
    await exited;
    rmSync(checkout, { recursive: true, force: true });
  }
}
