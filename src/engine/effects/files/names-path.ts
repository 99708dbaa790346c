/** What ends a path within a text; a name may hold most of it, so a path in a text is told from both its ends. */
const END = /["'`\s:;,=|()[\]{}<>&?#\\]/.source;
/** Between two names, as a path, JSON or a careless hand writes it. */
const BETWEEN = String.raw`(?:\\?/)+(?:\.(?:\\?/)+)*`;
/** Fewer names are no folder of an app: `/data` is one of a container. */
const LEAST = 2;

/**
 * Whether a text names a path, one below it or one that holds it, wherever it stands: in the short form of a volume, in a
 * JSON text, behind an option. Says so too often rather than too seldom. `path` is absolute, without `.` and `..`.
 */
export function namesPath(text: string, path: string): boolean {
  const names = path.split("/").filter((name) => name !== "");
  return names.some((_, at) => {
    const depth = at + 1;
    if (depth < LEAST && depth < names.length) return false;
    const written = BETWEEN + names.slice(0, depth).map(RegExp.escape).join(BETWEEN);
    const ends = depth === names.length ? `(?:$|${END}|/)` : `(?:$|${END}|/(?:$|${END}))`;
    return new RegExp(written + ends).test(text);
  });
}
