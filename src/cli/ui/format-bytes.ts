const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** A size as people read it, in units of 1,000: `512 B`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let size = bytes;
  // 999,950 bytes would be shown as 1000.0 kB.
  while (size >= (unit === 0 ? 1000 : 999.95) && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toFixed(unit === 0 ? 0 : 1)} ${UNITS[unit]}`;
}
