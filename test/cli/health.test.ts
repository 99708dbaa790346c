import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { runCommand } from "../support/command-line.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("slipway health shows every layer a live child has, and that scripts can be run", async () => {
  const { exitCode, stdout } = await runCommand("health", "--format", "json");
  const { usable, layers } = JSON.parse(stdout);
  expect({ exitCode, usable }).toEqual({ exitCode: 0, usable: true });
  expect(layers).toContainEqual({
    name: "RLIMIT_DATA",
    mandatory: true,
    active: true,
    detail: "RLIMIT_DATA 307200000 bytes",
  });
  expect(layers.map(({ name }: { name: string }) => name)).toContain("bundler");
  const text = await runCommand("health");
  expect(text.stdout).toContain("✓ jitless: no JIT, no WebAssembly\n");
  expect(text.stdout).toContain("scripts can be run on this machine\n");
});

test("slipway health exits with 1 and names the layer where no child can be started", async () => {
  vi.stubEnv("TMPDIR", join(tmpdir(), "slipway-not-there"));
  const { exitCode, stdout } = await runCommand("health", "--format", "json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    usable: false,
    layers: [{ name: "child process", mandatory: true, active: false, detail: expect.stringContaining("ENOENT") }],
  });
  expect((await runCommand("health")).stdout).toContain("scripts are refused on this machine\n");
});
