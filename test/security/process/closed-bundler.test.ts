/** What a closed sandbox leaves of its bundler, counted over the processes of this one and of its own users. */
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { traces } from "../../sandbox/containment/containment-traces.ts";
import { openHostileCatalog, problemOf } from "../bundler/bundler-catalog.ts";

const SCRIPT = "export const run = () => 1;";

test("a sandbox that is closed leaves no folder and no process of its bundler, also where a script comes afterwards", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-closed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  vi.stubEnv("TMPDIR", folder);
  const catalog = await openHostileCatalog();
  expect(await catalog.compile(SCRIPT)).toMatchObject({ ok: true });
  await catalog.close();
  await catalog.write({ "app/hook.ts": `${SCRIPT}\n` });
  expect(problemOf(await catalog.compile()).message).toContain("closed");
  vi.unstubAllEnvs();
  expect(
    (await readdir(folder)).filter((name) => name.startsWith("slipway-bundler-") && name.includes(`-${process.pid}-`)),
  ).toEqual([]);
  expect(traces()).toMatchObject({ children: [], strays: 0 });
});
