/** Finds which of some paths texts name, in one pass over each text however many paths there are. */
import { advance, buildAutomaton, findChild, ROOT, type TextAutomaton } from "../../../core/text-automaton.ts";

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

/**
 * Those of the paths that one of the texts names, or one below it or one that holds it: in the short form of a volume, in a
 * JSON text, behind an option. Says so too often rather than too seldom. Paths are absolute, without `.` and `..`.
 */
export function findNamedPaths(texts: Iterable<string>, paths: readonly string[]): ReadonlySet<string> {
  const plain = new Map(paths.filter((path) => path !== "/").map((path) => [path, toPlain(`${path}/`).slice(0, -1)]));
  const automaton = buildAutomaton([...new Set(plain.values())]);
  const { order, shorter } = automaton;
  // Of each node `ENDED`, `BELOW` and `CLOSED`, as far as they were met.
  const met = new Uint8Array(order.length);
  for (const text of texts) walk(toPlain(text), automaton, met);
  // The longest come last: what was met of one counts for all that end it.
  for (const node of order.toReversed()) addMet(met, shorter[node] ?? ROOT, met[node] ?? 0);
  const isMet = (written: string) => written === "" || wasMet(written, automaton, met);
  return new Set([...plain].filter(([, written]) => isMet(written)).map(([path]) => path));
}

function toPlain(text: string): string {
  return text.replace(BETWEEN, "/");
}

function walk(text: string, automaton: TextAutomaton, met: Uint8Array): void {
  let node = ROOT;
  for (let at = 0; at < text.length; at += 1) {
    node = advance(automaton, node, text.charCodeAt(at));
    if (node !== ROOT && met[node] !== ALL) addMet(met, node, readEnd(text, at + 1));
  }
}

function addMet(met: Uint8Array, node: number, more: number): void {
  met[node] = (met[node] ?? 0) | more;
}

function readEnd(text: string, at: number): number {
  if (at === text.length || END.test(text.charAt(at))) return ENDED;
  if (text.charAt(at) !== "/") return 0;
  return at + 1 === text.length || END.test(text.charAt(at + 1)) ? BELOW | CLOSED : BELOW;
}

function wasMet(path: string, automaton: TextAutomaton, met: Uint8Array): boolean {
  let node = ROOT;
  let names = 0;
  for (let at = 0; at < path.length; at += 1) {
    node = findChild(automaton, node, path.charCodeAt(at));
    const isName = at + 1 === path.length || path.charAt(at + 1) === "/";
    if (isName) names += 1;
    if (isName && names >= LEAST && at + 1 < path.length && ((met[node] ?? 0) & (ENDED | CLOSED)) !== 0) return true;
  }
  return ((met[node] ?? 0) & (ENDED | BELOW)) !== 0;
}
