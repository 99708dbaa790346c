/** The code of a file system's error, as `ENOENT`; `EIO` for an error that has none. */
export function readCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
}
