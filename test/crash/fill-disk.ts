import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const filler = join(tmpdir(), "filler");

/** Takes every byte that is left where temporary files lie. */
export function fillDisk(): void {
  for (let block = 256 * 1024; block >= 1; block = Math.floor(block / 4)) {
    try {
      for (;;) writeFileSync(filler, "x".repeat(block), { flag: "a" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}

/** Gives the bytes back. */
export function freeDisk(): void {
  rmSync(filler);
}
