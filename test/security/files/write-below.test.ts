/** Files written into folders that others filled: whole or not at all, and over nothing that is there. */
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Replacing, writeBelow } from "../../../src/files/write-below.ts";
import { writeOutput } from "../../../src/files/write-output.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";

let folder: ReturnType<typeof createTestFolder>;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const write = (path: string, replaces: Replacing, text = "new") =>
  writeBelow({ root: folder.path, path, text, replaces });

it("a new file has its name once it is whole, so that a process that is killed leaves none of that name", async () => {
  const text = "x".repeat(64 * 1024 * 1024);
  const seen = new Set<number>();
  const file = join(folder.path, "export.json");
  const source = new URL("../../../src/files/write-below.ts", import.meta.url).href;
  const code = `import { writeBelow } from ${JSON.stringify(source)};
    process.stdout.write("writing");
    writeBelow({ root: ${JSON.stringify(folder.path)}, path: "export.json", text: "x".repeat(${text.length}), replaces: "nothing" });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  while (!isEnded) {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size !== undefined) seen.add(size);
    await new Promise((resolve) => setImmediate(resolve));
  }
  seen.add(statSync(file).size);
  expect([...seen]).toEqual([text.length]);
  expect(readdirSync(folder.path)).toEqual(["export.json"]);
});

it.each(["a file", "a link", "a folder"])(
  "a new file takes the place of nothing: %s of its name is refused",
  (what) => {
    const file = join(folder.path, "a");
    const other = join(folder.path, "other");
    writeFileSync(other, "old");
    if (what === "a file") writeFileSync(file, "old");
    else if (what === "a link") symlinkSync(other, file);
    else mkdirSync(file);
    expect(() => write("a", "nothing")).toThrow("exists");
    expect(readFileSync(other, "utf8")).toBe("old");
    expect(readdirSync(folder.path).sort()).toEqual(["a", "other"]);
  },
);

it("a file that is replaced keeps its permissions, and no other name of it changes", () => {
  const file = join(folder.path, "a");
  writeFileSync(file, "old");
  chmodSync(file, 0o640);
  linkSync(file, join(folder.path, "second"));
  write("a", "file");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o640]);
  expect(readFileSync(join(folder.path, "second"), "utf8")).toBe("old");
});

it("what a killed write left is deleted an hour later by the next one of its name, and nothing else", () => {
  const old = (name: string, hours: number) => {
    const path = join(folder.path, name);
    writeFileSync(path, "a secret");
    const at = Date.now() / 1000 - hours * 3_600;
    utimesSync(path, at, at);
  };
  old(".a.0123456789abcdef.partial", 2);
  old(".a.fedcba9876543210.partial", 0);
  old(".b.0123456789abcdef.partial", 2);
  old(".a.json.0123456789abcdef.partial", 2);
  old(".a.note.partial", 2);
  write("a", "nothing");
  expect(readdirSync(folder.path).sort()).toEqual(
    [
      ".a.fedcba9876543210.partial",
      ".a.json.0123456789abcdef.partial",
      ".a.note.partial",
      ".b.0123456789abcdef.partial",
      "a",
    ].sort(),
  );
});

it("a report goes into the pipe that was named, and into no link", () => {
  const pipe = join(folder.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  writeOutput(pipe, "a report");
  expect(readFileSync(reader, "utf8")).toBe("a report");
  closeSync(reader);
  expect(statSync(pipe).isFIFO()).toBe(true);
  symlinkSync(pipe, join(folder.path, "link"));
  expect(() => writeOutput(join(folder.path, "link"), "a report")).toThrow("is a link");
});

it("a report in /dev/shm replaces a file as elsewhere, and follows no link", () => {
  const shared = mkdtempSync("/dev/shm/slipway-");
  try {
    const [report, other] = [join(shared, "report"), join(shared, "other")];
    writeOutput(report, "first");
    writeOutput(report, "second");
    expect(readFileSync(report, "utf8")).toBe("second");
    writeFileSync(other, "old");
    symlinkSync(other, join(shared, "link"));
    expect(() => writeOutput(join(shared, "link"), "a report")).toThrow("is a link");
    expect(readFileSync(other, "utf8")).toBe("old");
  } finally {
    rmSync(shared, { recursive: true });
  }
});

it("a report goes to an open file of the process, and into /dev/null", () => {
  const file = join(folder.path, "open");
  const opened = openSync(file, "w");
  writeOutput(`/dev/fd/${opened}`, "a ");
  writeOutput(`/proc/self/fd/${opened}`, "report");
  closeSync(opened);
  expect(readFileSync(file, "utf8")).toBe("a report");
  writeOutput("/dev/null", "a report");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});
