/** `node:path`, the POSIX half (Node's documentation, "Path"). */

export const sep = "/";
export const delimiter = ":";

function requireText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw Object.assign(new TypeError(`The "${name}" argument must be of type string`), { code: "ERR_INVALID_ARG_TYPE" });
}

/** Resolves `.` and `..`; `absolute` paths cannot leave their root. */
function resolveDots(path: string, absolute: boolean): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else if (!absolute) segments.push("..");
  }
  return segments.join("/");
}

export function isAbsolute(path: string): boolean {
  return requireText(path, "path").startsWith("/");
}

export function normalize(path: string): string {
  if (requireText(path, "path") === "") return ".";
  const absolute = path.startsWith("/");
  let text = resolveDots(path, absolute);
  if (text === "" && !absolute) text = ".";
  if (text !== "" && path.endsWith("/")) text += "/";
  return absolute ? `/${text}` : text;
}

export function join(...parts: string[]): string {
  const text = parts.filter((part) => requireText(part, "path") !== "").join("/");
  return text === "" ? "." : normalize(text);
}

/** There is no working directory: relative paths count from `/`. */
export function resolve(...parts: string[]): string {
  let path = "";
  for (const part of parts.toReversed()) {
    if (requireText(part, "path") === "") continue;
    path = path === "" ? part : `${part}/${path}`;
    if (part.startsWith("/")) break;
  }
  return `/${resolveDots(path, true)}`;
}

export function dirname(path: string): string {
  const text = requireText(path, "path").replace(/(?<=.)\/+$/, "");
  const slash = text.lastIndexOf("/");
  if (slash < 0) return ".";
  // Two slashes at the start may mean something of their own (POSIX, 4.13), so both stay.
  if (slash === 1 && text.startsWith("//")) return "//";
  return text.slice(0, slash) || "/";
}

export function basename(path: string, suffix = ""): string {
  const text = requireText(path, "path").replace(/\/+$/, "");
  if (path === suffix) return "";
  const name = text.slice(text.lastIndexOf("/") + 1);
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

export function extname(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 || name === ".." ? "" : name.slice(dot);
}

export function relative(from: string, to: string): string {
  const start = resolve(from).split("/").filter(Boolean);
  const end = resolve(to).split("/").filter(Boolean);
  let same = 0;
  while (same < start.length && same < end.length && start[same] === end[same]) same += 1;
  return [...start.slice(same).map(() => ".."), ...end.slice(same)].join("/");
}

export interface ParsedPath {
  root: string;
  dir: string;
  base: string;
  ext: string;
  name: string;
}

export function parse(path: string): ParsedPath {
  const root = isAbsolute(path) ? "/" : "";
  const base = basename(path);
  const ext = extname(path);
  const slash = path.replace(/(?<=.)\/+$/, "").lastIndexOf("/");
  return { root, dir: slash > 0 ? path.slice(0, slash) : root, base, ext, name: basename(base, ext) };
}

export function format(path: Partial<ParsedPath>): string {
  const base = path.base ?? `${path.name ?? ""}${path.ext ?? ""}`;
  const dir = path.dir ?? path.root ?? "";
  return dir === "" ? base : dir === path.root ? `${dir}${base}` : `${dir}/${base}`;
}

export function toNamespacedPath(path: string): string {
  return path;
}

export const posix = {
  sep,
  delimiter,
  isAbsolute,
  normalize,
  join,
  resolve,
  dirname,
  basename,
  extname,
  relative,
  parse,
  format,
  toNamespacedPath,
};
