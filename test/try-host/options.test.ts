import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseOptions, UsageError } from "../../scripts/try-host/options.ts";
import { temporaryDirectory } from "../support/engine/standin-client.ts";

const NOW = new Date("2026-11-27T10:00:00.000Z");

function given(changes: Readonly<Record<string, string | null>> = {}): {
  readonly args: string[];
  readonly dir: string;
} {
  const dir = temporaryDirectory();
  mkdirSync(join(dir, "mnt/tank/media"), { recursive: true });
  writeFileSync(join(dir, "key"), "1-secret\n");
  const whole: Record<string, string | null> = {
    "--host": "wss://nas.example",
    "--api-key-file": join(dir, "key"),
    "--location": "Media=/mnt/tank/media/",
    "--report": join(dir, "report.json"),
    ...changes,
  };
  const args = Object.entries(whole).flatMap(([option, value]) => {
    if (value === null) return [];
    return value === "" ? [option] : [option, value.replace("DIR", dir)];
  });
  return { args, dir };
}

test("the key is read from its file, and the location's path is brought to one form", () => {
  const { args, dir } = given({ "--local-root": "DIR" });
  expect(parseOptions(args, NOW)).toMatchObject({
    username: "truenas_admin",
    apiKey: "1-secret",
    location: { id: "Media", path: "/mnt/tank/media" },
    localRoot: dir,
    trustPlaintext: false,
    yes: false,
  });
  expect(existsSync(join(dir, "report.json"))).toBe(false);
});

test.each([
  ["no host", { "--host": null }, "--host is missing"],
  ["no address", { "--host": "nas" }, '"nas" is not a host'],
  ["a real host over ws://", { "--host": "ws://nas" }, "revokes an API key"],
  ["no key", { "--api-key-file": "DIR/none" }, "can't read"],
  ["an unknown location", { "--location": "Films=/mnt/tank/films" }, "names no location"],
  ["a pool", { "--location": "Media=/mnt/tank" }, "not a dataset below a pool"],
  ["a path that leads out", { "--location": "Media=/mnt/tank/a/../b" }, "not a dataset below a pool"],
  ["a local root that holds no such path", { "--local-root": "DIR/mnt" }, "--local-root: "],
  ["two ways of trust", { "--insecure": "", "--fingerprint": "00" }, "exclude each other"],
  ["a report that is there", { "--report": "DIR/key" }, "exists"],
  ["an unknown option", { "--now": "" }, "--now"],
])("%s is refused before anything is begun", (_title, changes, message) => {
  const { args } = given(changes);
  expect(() => parseOptions(args, NOW)).toThrow(UsageError);
  expect(() => parseOptions(args, NOW)).toThrow(message);
});
