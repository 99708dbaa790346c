/** Makes a script tell which of its statements it comes to, and nothing else: same order, same results, same lines. Pure. */
import { type Node, parse, type Statement } from "acorn";
import { ancestor } from "acorn-walk";

/** A script that tells. */
export interface Instrumented {
  readonly code: string;
  /** Where the statements stand in the script as it was, by their numbers; lines and columns from 0. */
  readonly places: readonly { readonly line: number; readonly column: number }[];
}

/** What a line begins with that tells numbers of statements; a script that writes such lines counts itself wrong. */
export const TOLD = "slipway:reached ";

/** Of the function that is called before each statement. */
const AT = "__slipway_at";
/** Numbers in one line: a longer one would be cut. */
const NUMBERS = 400;

/** Tells each number once, those of one stretch of the script together: a line for each would use up what it may log. */
const PRELUDE = `var ${AT} = ((log, soon) => {
  const known = [];
  let open = [];
  const tell = () => {
    for (let at = 0; at < open.length; at += ${NUMBERS}) log("${TOLD}" + open.slice(at, at + ${NUMBERS}).join(" "));
    open = [];
  };
  return (number) => {
    if (known[number] === true) return;
    known[number] = true;
    if (open.push(number) === 1) soon(tell);
  };
})(console.log, (tell) => void Promise.resolve().then(tell)); `.replaceAll(/\n\s*/g, " ");

/** Longest script that is instrumented, in UTF-16 units: reading one takes time of whoever checks it. */
const LONGEST = 512 * 1024;

/** null for one that is too long, or nested too deeply, to be read. */
export function instrument(code: string): Instrumented | null {
  if (code.length > LONGEST) return null;
  const found = new Insertions();
  try {
    const program = parse(code, { ecmaVersion: "latest", sourceType: "script", locations: true });
    ancestor(program, {
      BlockStatement: (node, _state, above) => isInFunction(above) && found.addList(node.body),
      SwitchCase: (node, _state, above) => isInFunction(above) && found.addList(node.consequent),
      IfStatement(node, _state, above) {
        if (!isInFunction(above)) return;
        found.addBody(node.consequent);
        if (node.alternate != null) found.addBody(node.alternate);
      },
      ForStatement: (node, _state, above) => isInFunction(above) && found.addBody(node.body),
      ForInStatement: (node, _state, above) => isInFunction(above) && found.addBody(node.body),
      ForOfStatement: (node, _state, above) => isInFunction(above) && found.addBody(node.body),
      WhileStatement: (node, _state, above) => isInFunction(above) && found.addBody(node.body),
      DoWhileStatement: (node, _state, above) => isInFunction(above) && found.addBody(node.body),
      ArrowFunctionExpression: (node, _state, above) =>
        isInFunction(above) && node.body.type !== "BlockStatement" && found.addExpression(node.body),
    });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
  return { code: `${PRELUDE}${found.insertInto(code)}`, places: found.places };
}

/** Below a function of the author's: the outermost is the bundle, whose statements always run. */
function isInFunction(above: readonly Node[]): boolean {
  return above.filter(({ type }) => /Function/.test(type)).length > 1;
}

class Insertions {
  readonly places: { readonly line: number; readonly column: number }[] = [];
  readonly #texts: { readonly offset: number; readonly text: string }[] = [];

  /** Statements that follow each other. */
  addList(statements: readonly Node[]): void {
    for (const node of statements) {
      const isSilent = /^(FunctionDeclaration|EmptyStatement)$/.test(node.type) || "directive" in node;
      if (!isSilent) this.#insert(node.start, `${this.#count(node)};`);
    }
  }

  /** The one statement of a branch or loop. */
  addBody(node: Statement): void {
    if (node.type === "BlockStatement") return;
    this.#insert(node.start, `{${this.#count(node)};`);
    this.#insert(node.end, "}");
  }

  /** What an arrow function gives. */
  addExpression(node: Node): void {
    this.#insert(node.start, `(${this.#count(node)},`);
    this.#insert(node.end, ")");
  }

  insertInto(code: string): string {
    let from = 0;
    const parts = this.#texts
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, text }) => {
        const part = code.slice(from, offset) + text;
        from = offset;
        return part;
      });
    return parts.join("") + code.slice(from);
  }

  #insert(offset: number, text: string): void {
    this.#texts.push({ offset, text });
  }

  #count({ loc }: Node): string {
    this.places.push({ line: (loc?.start.line ?? 1) - 1, column: loc?.start.column ?? 0 });
    return `${AT}(${this.places.length - 1})`;
  }
}
