/**
 * Finds imports whose module is known only as the script runs: esbuild takes them for patterns and looks for every file
 * that fits, without asking anybody. Pure.
 *
 * Works on JavaScript as esbuild prints it under `FORMS_TRANSFORM`, in which an unbound `require` is `REQUIRE`.
 */
import { type Expression, type Node, type Program, parse, type SpreadElement, type Super } from "acorn";
import { simple } from "acorn-walk";
import type { TransformOptions } from "esbuild";

const REQUIRE = "__slipway_require__";

/** How a text is printed to be looked at: nothing that could be a form is changed, what acorn can't read is refused. */
export const FORMS_TRANSFORM = {
  target: "esnext",
  supported: { decorators: false, using: false, "import-defer": false, "import-source": false },
  define: { require: REQUIRE, "module.require": REQUIRE },
  logLevel: "silent",
  tsconfigRaw: "{}",
} as const satisfies TransformOptions;

/** A form that is refused. */
export interface RefusedForm {
  readonly code: "SANDBOX_IMPORT_NOT_LITERAL" | "SANDBOX_IMPORT_FORBIDDEN";
  readonly message: string;
  /** Where it stands in the text looked at: the line from 1, the column from 0. */
  readonly line: number;
  readonly column: number;
  /** The word it begins with in the author's text. */
  readonly word: "import" | "require" | "new" | "with";
}

/**
 * Tells whether a text may hold a form. `import` is a keyword, which can't be written with escapes, and a call of it has
 * nothing but white space and comments before its parenthesis; the name `require` can be written with escapes.
 */
export function mayHoldForms(text: string): boolean {
  return /require|\\u|\bimport\s*[(./]/.test(text);
}

/** All refused forms in the order of the text; throws what acorn throws, also a RangeError past its depth. */
export function findRefusedForms(code: string): RefusedForm[] {
  const refused: RefusedForm[] = [];
  const forbid = (node: Node, word: RefusedForm["word"], message: string) =>
    refused.push({ code: "SANDBOX_IMPORT_FORBIDDEN", message, word, ...readStart(node) });
  const wantLiteral = (node: Node, word: RefusedForm["word"], form: string) =>
    refused.push({
      code: "SANDBOX_IMPORT_NOT_LITERAL",
      message: `${form} takes a plain string literal`,
      word,
      ...readStart(node),
    });
  simple(read(code), {
    ImportExpression(node) {
      if (readLiteral(node.source) === null) wantLiteral(node, "import", "import()");
      else if (node.options != null && !isJson(node.options)) {
        forbid(node, "import", 'import() takes no options but { with: { type: "json" } }');
      }
    },
    CallExpression(node) {
      const form = requireForm(node.callee);
      if (form === null) return;
      const name = readLiteral(node.arguments[0]);
      if (name === null) wantLiteral(node, "require", form);
      else forbid(node, "require", `"${name}" can't be taken by ${form}, use import`);
    },
    NewExpression(node) {
      const [path, base] = node.arguments;
      const isModuleUrl = readName(node.callee) === "URL" && base?.type === "MemberExpression" && isMeta(base.object);
      if (isModuleUrl && readLiteral(path) === null) wantLiteral(node, "new", "new URL(..., import.meta.url)");
    },
    WithStatement(node) {
      forbid(node, "with", "a script is strict code, which has no with statement");
    },
  });
  return refused.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** As a module, or as the CommonJS esbuild takes a file for that imports and exports nothing. */
function read(code: string): Program {
  const options = { ecmaVersion: "latest", locations: true } as const;
  try {
    return parse(code, { ...options, sourceType: "module" });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parse(code, { ...options, sourceType: "commonjs" });
  }
}

function readStart({ loc }: Node): { line: number; column: number } {
  return { line: loc?.start.line ?? 1, column: loc?.start.column ?? 0 };
}

function requireForm(callee: Expression | Super): string | null {
  if (readName(callee) === REQUIRE) return "require()";
  if (callee.type !== "MemberExpression" || readName(callee.object) !== REQUIRE) return null;
  const property = callee.computed ? readLiteral(callee.property) : readName(callee.property);
  return property === "resolve" ? "require.resolve()" : null;
}

function isMeta(node: Expression | Super): boolean {
  return node.type === "MetaProperty";
}

function readName(node: Node): string | null {
  return node.type === "Identifier" && "name" in node && typeof node.name === "string" ? node.name : null;
}

function readLiteral(node: Node | Expression | SpreadElement | undefined): string | null {
  if (node === undefined) return null;
  if (node.type === "Literal" && "value" in node) return typeof node.value === "string" ? node.value : null;
  if (!isTemplate(node) || node.expressions.length > 0) return null;
  return node.quasis[0]?.value.cooked ?? null;
}

function isTemplate(node: Node): node is Extract<Expression, { type: "TemplateLiteral" }> {
  return node.type === "TemplateLiteral";
}

/** `{ with: { type: "json" } }` and nothing else. */
function isJson(options: Expression): boolean {
  const attributes = findOnlyValue(options, "with");
  return attributes !== null && readLiteral(findOnlyValue(attributes, "type") ?? undefined) === "json";
}

function findOnlyValue(node: Expression, name: string): Expression | null {
  if (node.type !== "ObjectExpression" || node.properties.length !== 1) return null;
  const [property] = node.properties;
  if (property?.type !== "Property" || property.computed || property.kind !== "init") return null;
  return (readName(property.key) ?? readLiteral(property.key)) === name ? property.value : null;
}
