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

/** Opens an engine on the catalog, closes it again, and answers what was logged as an error. */
async function openOnce(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const logged: Readonly<Record<string, unknown>>[] = [];
  const opened = await openEngine({
    host: { kind: "standin", idleExitS: 1 },
    ...{ db: join(folder, "slipway.db"), catalog, production: true },
    logger: { ...SILENT_LOGGER, error: (facts) => void logged.push(facts) },
  });
  await opened.close();
  return logged;
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

test.each(HOSTILE)("%s is a fault of its file: it is named, and the engine opens", async (_what, make, reason) => {
  mkdirSync(join(catalog, "standin"));
  make(join(catalog, "standin/app.json"));
  writeFileSync(join(catalog, "standin/other.json"), "[]");
  expect(await openOnce()).toEqual([
    expect.objectContaining({ file: join(catalog, "standin/app.json"), fault: expect.stringContaining(reason) }),
  ]);
});

test("a folder of tables that is a link out of the catalog gives nothing away", async () => {
  symlinkSync(join(folder, "outside"), join(catalog, "standin"));
  const logged = JSON.stringify(await openOnce());
  expect(logged).toContain("leads out of");
  expect(logged).not.toContain("password");
});

test("a folder of tables that is none is a fault of its own", async () => {
  writeFileSync(join(catalog, "standin"), "");
  expect(await openOnce()).toMatchObject([{ file: join(catalog, "standin") }]);
});
