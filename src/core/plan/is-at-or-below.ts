/** Whether an absolute path without `.` and `..` is another one or lies below it, by its names alone. */
export function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent === "/" ? "/" : `${parent}/`);
}
