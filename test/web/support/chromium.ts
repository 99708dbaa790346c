/** A real Chromium from npm, which needs nothing of the machine. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { WITHIN_MS } from "../../support/within.ts";

const require = createRequire(import.meta.url);

/**
 * Starts it, for one test file. Its own flags are not taken: they switch web security off. Whoever is first unpacks it to a
 * folder of its version, beside others that may be at it too. `args`: more of them.
 */
export async function startChromium(args: readonly string[] = []): Promise<Browser> {
  const folder = join(tmpdir(), `slipway-chromium-${readVersion()}`);
  if (!existsSync(folder)) await unpackTo(folder);
  const browser = await chromium.launch({
    timeout: WITHIN_MS,
    executablePath: join(folder, "chromium"),
    args: ["--no-sandbox", ...args],
    env: { ...process.env, FONTCONFIG_FILE: join(folder, "fonts.conf"), HOME: folder },
  });
  browser.on("context", (context) => context.setDefaultTimeout(WITHIN_MS));
  return browser;
}

async function unpackTo(folder: string): Promise<void> {
  const own = mkdtempSync(`${folder}-`);
  const { TMPDIR } = process.env;
  // The package unpacks to the folder of temporary files, whose name it asks for each time.
  process.env["TMPDIR"] = own;
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
  // Its own settings look for the fonts at /tmp/fonts.
  writeFileSync(
    join(own, "fonts.conf"),
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  try {
    renameSync(own, folder);
  } catch {
    // Somebody else was quicker.
    rmSync(own, { recursive: true, force: true });
  }
}

function readVersion(): string {
  const file = join(dirname(require.resolve("@sparticuz/chromium")), "../package.json");
  const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"));
  return version;
}
