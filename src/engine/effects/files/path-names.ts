/**
 * Which paths of a host name the same directory. A dataset may ignore case, or how a letter is composed, and a link or a
 * second mount gives a directory another name: the file system tells by device and inode, a spelling does not.
 */
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import { isHostRefusal } from "../../host-error.ts";
import { startOfPath } from "../../look-along.ts";
import type { Host } from "../../ports/host.ts";
import type { HostPath } from "../../ports/host-records.ts";

type Asked = Pick<Host, "stat" | "datasetOf" | "dataset">;

/** A path without its spelling: a step for every component, by identity where the host tells one. */
interface Name {
  readonly steps: string;
  /** The same path, all links resolved. */
  readonly real: string;
  readonly found: HostPath | null;
}

/** Most links followed on one path, as in the kernel. */
const LINKS = 40;

/** The paths looked at so far. A path it has not looked at, or whose directory the host does not tell, is like no other. */
export class PathNames {
  readonly #host: Asked;
  readonly #names = new Map<string, Name | null>();
  readonly #stats = new Map<string, HostPath | null>();
  /** The steps of what has an identity, as it was first met. */
  readonly #identified = new Map<string, string>();
  /** Of the paths looked at as one's own: whether a name in another case may be the same. */
  readonly #ignoresCase = new Map<string, boolean>();
  readonly #datasets = new Map<string, boolean>();

  constructor(host: Asked) {
    this.#host = host;
  }

  /** Looks at paths. Rejects only where the host can't be asked now. */
  async look(paths: Iterable<string>): Promise<void> {
    for (const path of paths) {
      const wanted = posix.resolve("/", path);
      if (this.#names.has(wanted)) continue;
      this.#names.set(wanted, await catchRefused(() => this.#walk(wanted, LINKS)));
    }
  }

  /** Looks at a path that texts are to be held against as well. */
  async lookAtOwn(path: string): Promise<void> {
    await this.look([path]);
    const wanted = posix.resolve("/", path);
    if (this.#ignoresCase.has(wanted)) return;
    const name = this.#names.get(wanted) ?? null;
    const asked = name === null ? null : await catchRefused(() => this.#askCase(name.real));
    this.#ignoresCase.set(wanted, asked ?? true);
  }

  /** Whether the host has told what stands at a path that was looked at, or that nothing does. */
  isKnown(path: string): boolean {
    return (this.#names.get(posix.resolve("/", path)) ?? null) !== null;
  }

  /** Whether a path is another one or lies below it, by its spelling or by what stands there. */
  isAtOrBelow(path: string, parent: string): boolean {
    const [one, other] = [posix.resolve("/", path), posix.resolve("/", parent)];
    if (isAtOrBelow(one, other)) return true;
    const [inner, outer] = [this.#names.get(one), this.#names.get(other)];
    return inner != null && outer != null && isAtOrBelow(inner.steps, outer.steps);
  }

  /** Whether a path in another case may be this one; false only where it was looked at as one's own. */
  ignoresCase(path: string): boolean {
    return this.#ignoresCase.get(posix.resolve("/", path)) ?? true;
  }

  async #walk(path: string, links: number): Promise<Name> {
    const start = startOfPath(path);
    let at: Name = { steps: start, real: start, found: { type: "DIRECTORY", uid: 0, gid: 0 } };
    for (const component of posix.relative(start, path).split("/")) {
      if (component === "") continue;
      if (at.found?.type === "SYMLINK") at = { ...at, found: await this.#stat(at.real) };
      const real = posix.join(at.real, component);
      const found = at.found?.type === "DIRECTORY" ? await this.#stat(real) : null;
      const { target } = found ?? {};
      // Without an identity two names that differ in case alone may be one.
      const steps = posix.join(at.steps, found?.id === undefined ? spell(component, true) : `\0${found.id}`);
      if (target !== undefined && links > 0) {
        at = { steps: (await this.#walk(target, links - 1)).steps, real: target, found };
        continue;
      }
      at = { steps: this.#identify(found, steps), real, found };
    }
    return at;
  }

  #identify(found: HostPath | null, steps: string): string {
    if (found?.id === undefined) return steps;
    const known = this.#identified.get(found.id);
    if (known === undefined) this.#identified.set(found.id, steps);
    return known ?? steps;
  }

  async #stat(path: string): Promise<HostPath | null> {
    const known = this.#stats.get(path);
    if (known !== undefined) return known;
    const found = await this.#host.stat(path);
    this.#stats.set(path, found);
    return found;
  }

  /** Not where every dataset on the way is known to mind it. */
  async #askCase(path: string): Promise<boolean> {
    let shown = path;
    while ((await this.#stat(shown)) === null && shown !== "/") shown = posix.dirname(shown);
    const { dataset } = await this.#host.datasetOf(shown);
    const names = dataset.split("/").map((_, at, all) => all.slice(0, at + 1).join("/"));
    for (const name of names) {
      const known = this.#datasets.get(name) ?? (await this.#host.dataset(name))?.casesensitivity !== "SENSITIVE";
      this.#datasets.set(name, known);
      if (known) return true;
    }
    return false;
  }
}

/** A text as it is compared with others, as file systems do; more names are one here than there. */
export function spell(text: string, ignoresCase: boolean): string {
  const composed = text.normalize("NFC");
  return ignoresCase ? composed.toUpperCase().toLowerCase() : composed;
}

/** null where the host refuses to tell about the path. */
async function catchRefused<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isHostRefusal(error)) return null;
    throw error;
  }
}
