/** Whether a path, taken relative to the catalog root, stays below it. */
export function isInsideCatalog(path: string): boolean {
  if (/^[/\\]|^[a-z]:|\\|\0/i.test(path)) return false;
  let depth = 0;
  for (const segment of path.split("/")) {
    if (segment === "..") depth -= 1;
    else if (segment !== "" && segment !== ".") depth += 1;
    if (depth < 0) return false;
  }
  return depth > 0;
}
