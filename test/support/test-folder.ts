/** A folder for each test of a file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach } from "vitest";

export interface TestFolder {
  /** The present test's. */
  readonly path: string;
  /** Writes a file below it and answers its path; what is neither text nor bytes is written as JSON. */
  write(name: string, content: unknown): string;
}

/** A new folder for each test; all of them are removed after the last. */
export function useTestFolder(): TestFolder {
  const root = mkdtempSync(join(tmpdir(), "slipway-test-"));
  let path = "";
  let count = 0;
  beforeEach(() => {
    count += 1;
    path = join(root, String(count));
    mkdirSync(path);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return {
    get path() {
      return path;
    },
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      const isPlain = typeof content === "string" || Buffer.isBuffer(content);
      writeFileSync(file, isPlain ? content : JSON.stringify(content));
      return file;
    },
  };
}
