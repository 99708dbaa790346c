/** Tables that lie in a catalog, for the embedded stand-in: links, pipes and giants among them lead nowhere, and nothing waits. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEngine } from "../../../src/compose.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";

let folder: string;
let catalog: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-tables-")));
  catalog = join(folder, "catalog");
  mkdirSync(catalog);
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/secret.json"), '{"answers": [], "password": "of somebody else"}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Why an engine does not open on the catalog. */
async function refusal(): Promise<{ readonly code: unknown; readonly text: string }> {
  try {
    const opened = await openEngine({
      host: { kind: "standin", idleExitS: 1 },
      ...{ db: join(folder, "slipway.db"), catalog, production: true, logger: SILENT_LOGGER },
    });
    await opened.close();
    throw new Error("it opened");
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { code: "code" in error ? error.code : null, text: error.message };
  }
}

const HOSTILE: readonly [what: string, make: (table: string) => void, reason: string][] = [
  ["a link that leads out", (table) => symlinkSync(join(folder, "outside/secret.json"), table), "leads out of"],
  ["a pipe", (table) => execFileSync("mkfifo", [table]), "is not a regular file"],
  ["a device behind a link", (table) => symlinkSync("/dev/zero", table), "leads out of"],
  [
    "a giant",
    (table) => {
      writeFileSync(table, "");
      truncateSync(table, 2 ** 33);
    },
    "more than the allowed",
  ],
];

test.each(HOSTILE)("%s is refused by name", async (_what, make, reason) => {
  mkdirSync(join(catalog, "standin"));
  make(join(catalog, "standin/app.json"));
  const { code, text } = await refusal();
  expect(code).toBe("CLI_FILE_UNREADABLE");
  expect(text).toContain(join(catalog, "standin/app.json"));
  expect(text).toContain(reason);
});

test("a folder of tables that is a link out of the catalog gives nothing away", async () => {
  symlinkSync(join(folder, "outside"), join(catalog, "standin"));
  const { code, text } = await refusal();
  expect(code).toBe("CLI_FILE_UNREADABLE");
  expect(text).not.toContain("password");
});
