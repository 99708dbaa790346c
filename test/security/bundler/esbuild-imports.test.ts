/** esbuild runs as the engine's user on the engine's own programs only; what authors wrote it gets in isolation. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Bundles the engine's own programs. */
const OWN_PROGRAMS = ["sandbox/compile/bundle-service.ts"];
/** Runs in the isolated process. */
const ISOLATED = "sandbox/compile/bundler/program.ts";

const IMPORT = /(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;

interface Import {
  readonly name: string;
  readonly isType: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(IMPORT)].map(([, type, name, dynamic]) => ({
    name: name ?? dynamic ?? "",
    isType: type !== undefined,
  }));
}

const FILES = ["src", "sandbox", "machines"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".ts") ? `${folder}/${name}` : [],
  ),
);

/** Files that import a name, types left out. */
function importersOf(isIt: (name: string, from: string) => boolean): string[] {
  return FILES.filter((file) => importsOf(file).some(({ name, isType }) => !isType && isIt(name, file))).sort();
}

test("esbuild is imported by the bundling of the engine's own programs and by the isolated program alone", () => {
  const isolated = importersOf((name) => name === "esbuild").filter((file) => !OWN_PROGRAMS.includes(file));
  expect(isolated).toContain(ISOLATED);
  expect(isolated.filter((file) => !file.startsWith("sandbox/compile/bundler/"))).toEqual([]);
  // none of those is loaded by anything but another one
  for (const file of isolated) {
    expect(
      importersOf((name, from) => join(dirname(from), name) === file).filter((it) => !isolated.includes(it)),
    ).toEqual([]);
  }
});

test("the bundling of own programs is given files alone, no text", () => {
  const [own = ""] = OWN_PROGRAMS;
  expect(readFileSync(own, "utf8")).not.toMatch(/\b(stdin|transform|plugins)\b/);
});
