import { expect, test } from "vitest";
import { formatBytes } from "../../src/cli/ui/format-bytes.ts";
import { renderSnapshots } from "../../src/cli/ui/rollback-text.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_950, "1.0 MB"],
  [1_234_567, "1.2 MB"],
  [4_000_000_000_000, "4.0 TB"],
  [2 ** 53, "9.0 PB"],
])("%d bytes are shown as %s, of a backup as of a snapshot", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
  const datasets = [{ name: "tank/a@b", paths: ["/mnt/tank/a"], bytes }];
  const at = "2026-01-01T00:00:00.000Z";
  expect(renderSnapshots("a", [{ id: "t", purpose: "upgrade", at, datasets }]).at(-1)).toBe(
    `  /mnt/tank/a  tank/a@b  ${text}`,
  );
});
