/** Changes of a catalog's files, as they are told to whoever watches it. */
import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { type ChangedFiles, watchCatalog } from "../../src/adapters/catalog/watch/watch-catalog.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

/** Watches; `next` gives what is told next and when, in ms of the monotonic clock. */
async function startWatch() {
  const told: { readonly files: ChangedFiles; readonly at: number }[] = [];
  const errors: unknown[] = [];
  const watch = await watchCatalog(join(folder.path, "catalog"), {
    changed: (files) => void told.push({ files, at: performance.now() }),
    failed: (error) => void errors.push(error),
  });
  onTestFinished(() => watch.close());
  return {
    errors,
    async next() {
      await expect.poll(() => told.length).toBeGreaterThan(0);
      return told.shift() ?? { files: new Set<string>(), at: 0 };
    },
  };
}

it("waits for the rest of a file that breaks off, and tells of both as one", async () => {
  const file = folder.write("catalog/a.json", "{}");
  const { next } = await startWatch();
  folder.write("catalog/a.json", '{"half": ');
  const from = performance.now();
  const half = await next();
  expect(half.files).toEqual(new Set(["a.json"]));
  expect(half.at - from).toBeGreaterThan(300);
  folder.write("catalog/a.json", "{");
  setTimeout(() => appendFileSync(file, "}"), 100);
  expect((await next()).files).toEqual(new Set(["a.json"]));
});

it("watches nothing a link leads to, no hidden folder and no packages", async () => {
  folder.write("outside/b.json", "{}");
  for (const name of ["catalog/.git", "catalog/node_modules", "catalog/app"])
    mkdirSync(join(folder.path, name), { recursive: true });
  symlinkSync(join(folder.path, "outside"), join(folder.path, "catalog/link"));
  const { next, errors } = await startWatch();
  folder.write("outside/b.json", "[]");
  folder.write("catalog/.git/index", "x");
  folder.write("catalog/node_modules/x.ts", "x");
  folder.write("catalog/app/x.ts", "x");
  expect((await next()).files).toEqual(new Set(["app/x.ts"]));
  expect(errors).toEqual([]);
});

it("goes on while folders come and go", async () => {
  folder.write("catalog/a.json", "{}");
  const { next, errors } = await startWatch();
  const comeAndGo = "for i in $(seq 200); do mkdir -p x/y/z/w/v && rm -r x; done; echo '[]' > a.json";
  await promisify(execFile)("sh", ["-c", comeAndGo], { cwd: join(folder.path, "catalog") });
  for (let files = (await next()).files; files !== "all" && !files.has("a.json"); ) ({ files } = await next());
  expect(errors).toEqual([]);
});

it("more files than anybody would save at once are all of them", async () => {
  mkdirSync(join(folder.path, "catalog"));
  const { next } = await startWatch();
  for (let count = 0; count < 1_100; count += 1) folder.write(`catalog/${count}.json`, "{}");
  expect((await next()).files).toBe("all");
});

it("refuses a catalog with more folders than are watched, and one that is none", async () => {
  for (let count = 0; count < 4_096; count += 1)
    mkdirSync(join(folder.path, "catalog", `${count}`), { recursive: true });
  await expect(startWatch()).rejects.toMatchObject({
    code: "CATALOG_UNREADABLE",
    message: expect.stringContaining("more than 4096 folders"),
  });
  await expect(watchCatalog(join(folder.path, "none"), { changed() {}, failed() {} })).rejects.toMatchObject({
    code: "CATALOG_UNREADABLE",
  });
});
