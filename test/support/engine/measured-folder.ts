import { globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export interface MeasuredFolder {
  readonly path: string;
  /** What the databases of the worlds in it take on disk now, with their journals. */
  databaseBytes(): number;
}

/** A folder for the worlds of a test file (`parent` of `openWorld`), removed after its last test. */
export function createMeasuredFolder(): MeasuredFolder {
  const path = mkdtempSync(join(tmpdir(), "slipway-measured-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    databaseBytes: () =>
      globSync(join(path, "*", "slipway-*.db*")).reduce((bytes, file) => bytes + statSync(file).size, 0),
  };
}
