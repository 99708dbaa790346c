/**
 * A program of this repository as the package has it, in a folder of its own: a test that starts one a hundred times would
 * spend most of its time on stripping types and finding modules.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleEntries, COPIED_TYPES, STARTED, writePrograms } from "../../scripts/build/bundle.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface BuiltProgram {
  /** What Node is started with. */
  readonly path: string;
  remove(): void;
}

/** Builds the program with this source, a path; what it starts lies beside it. */
export async function buildProgram(source: string): Promise<BuiltProgram> {
  // from there packages are found
  const folder = mkdtempSync(join(ROOT, "node_modules", ".built-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const place = relative(ROOT, source);
    const places = [place.replace(/\.ts$/, ""), "src/cli/bin", ...STARTED];
    const entries = Object.fromEntries(places.map((one) => [one, `${one}.ts`]));
    for (const types of COPIED_TYPES) cpSync(join(ROOT, types), join(folder, types));
    await Promise.all([bundleEntries(folder, entries), writePrograms(folder)]);
    return { path: join(folder, place.replace(/\.ts$/, ".js")), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
