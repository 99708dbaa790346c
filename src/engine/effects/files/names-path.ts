/** Finds which of some paths texts name, in one pass over each text however many paths there are (Aho and Corasick). */

/** What ends a path within a text. A name may hold most of it, so a path in a text is told from both its ends. */
const END = /["'`\s:;,=|()[\]{}<>&?#\\]/;
/** Between two names, as a path, JSON or a careless hand writes it. */
const BETWEEN = /(?:\\?\/)+(?:\.(?:\\?\/)+)*/g;
/** Fewer names are no folder of an app: `/data` is one of a container. */
const LEAST = 2;

/** How a beginning of a path goes on where a text has it: it ends there, a slash follows, or a slash that ends it. */
const ENDED = 1;
const BELOW = 2;
const CLOSED = 4;
const ALL = ENDED | BELOW | CLOSED;

interface Node {
  readonly next: Map<number, Node>;
  /** The longest other beginning of a path that ends with this one; null for the root. */
  shorter: Node | null;
  /** `ENDED`, `BELOW` and `CLOSED`, as far as they were met. */
  met: number;
}

/**
 * Those of the paths that one of the texts names, or one below it or one that holds it: in the short form of a volume, in a
 * JSON text, behind an option. Says so too often rather than too seldom. Paths are absolute, without `.` and `..`.
 */
export function findNamedPaths(texts: Iterable<string>, paths: readonly string[]): ReadonlySet<string> {
  const plain = new Map(paths.filter((path) => path !== "/").map((path) => [path, toPlain(`${path}/`).slice(0, -1)]));
  const { root, nodes } = indexPaths(new Set(plain.values()));
  for (const text of texts) walk(toPlain(text), root);
  // The longest come last: what was met of one counts for all that end it.
  for (const node of nodes.toReversed()) if (node.shorter !== null) node.shorter.met |= node.met;
  return new Set([...plain].filter(([, written]) => written === "" || wasMet(written, root)).map(([path]) => path));
}

function toPlain(text: string): string {
  return text.replace(BETWEEN, "/");
}

/** Nodes are ordered by their depth. */
function indexPaths(paths: Iterable<string>): { readonly root: Node; readonly nodes: readonly Node[] } {
  const root = createNode(null);
  for (const path of paths) {
    let node = root;
    for (let at = 0; at < path.length; at += 1) {
      const unit = path.charCodeAt(at);
      const next = node.next.get(unit) ?? createNode(root);
      node.next.set(unit, next);
      node = next;
    }
  }
  const nodes = [root];
  for (const node of nodes) {
    for (const [unit, next] of node.next) {
      if (node !== root) next.shorter = advance(node.shorter ?? root, unit, root);
      nodes.push(next);
    }
  }
  return { root, nodes };
}

function createNode(shorter: Node | null): Node {
  return { next: new Map(), shorter, met: 0 };
}

function advance(from: Node, unit: number, root: Node): Node {
  for (let node: Node | null = from; node !== null; node = node.shorter) {
    const next = node.next.get(unit);
    if (next !== undefined) return next;
  }
  return root;
}

function walk(text: string, root: Node): void {
  let node = root;
  for (let at = 0; at < text.length; at += 1) {
    node = advance(node, text.charCodeAt(at), root);
    if (node !== root && node.met !== ALL) node.met |= readEnd(text, at + 1);
  }
}

function readEnd(text: string, at: number): number {
  if (at === text.length || END.test(text.charAt(at))) return ENDED;
  if (text.charAt(at) !== "/") return 0;
  return at + 1 === text.length || END.test(text.charAt(at + 1)) ? BELOW | CLOSED : BELOW;
}

function wasMet(path: string, root: Node): boolean {
  let node: Node | undefined = root;
  let names = 0;
  for (let at = 0; at < path.length && node !== undefined; at += 1) {
    node = node.next.get(path.charCodeAt(at));
    const isName = at + 1 === path.length || path.charAt(at + 1) === "/";
    if (isName) names += 1;
    if (isName && names >= LEAST && at + 1 < path.length && ((node?.met ?? 0) & (ENDED | CLOSED)) !== 0) return true;
  }
  return ((node?.met ?? 0) & (ENDED | BELOW)) !== 0;
}
