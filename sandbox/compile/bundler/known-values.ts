/** Finds what names in JavaScript stand for, without running it: constants, functions, the context and its methods. */
import type { Expression, Function as FunctionNode, Node, ObjectExpression, Pattern, Super } from "acorn";

/** A constant as data. */
export type Constant = { readonly kind: "constant"; readonly value: string | number };
/** An object literal and where its names are looked up. */
export type KnownObject = { readonly kind: "object"; readonly node: ObjectExpression; readonly scope: Scope };
/** The context a script is given, or a method of it taken out. */
type Context = { readonly kind: "context" } | { readonly kind: "method"; readonly name: string };
type KnownFunction = { readonly kind: "function"; readonly node: FunctionNode; readonly scope: Scope };
export type Known = Constant | KnownObject | Context | KnownFunction;

/** The constant or object among what is known. */
export function readConstant(known: Known | undefined): Constant | KnownObject | undefined {
  return known?.kind === "constant" || known?.kind === "object" ? known : undefined;
}

/** The names of a block; one that is there and not known hides those outside. */
export class Scope {
  readonly #outer: Scope | null;
  readonly #names = new Map<string, Known | undefined>();

  constructor(outer: Scope | null) {
    this.#outer = outer;
  }

  find(name: string): Known | undefined {
    return this.#names.has(name) ? this.#names.get(name) : this.#outer?.find(name);
  }

  /** Takes up what a list of statements declares: functions first, as they are hoisted, then constants in their order. */
  declareAll(statements: readonly Node[]): void {
    const declarations = statements.map(findDeclaration);
    for (const node of declarations) {
      if (isFunction(node) && node.id != null) this.#names.set(node.id.name, { kind: "function", node, scope: this });
    }
    for (const node of declarations) {
      if (node.type === "ClassDeclaration" && "id" in node && isIdentifier(node.id))
        this.#names.set(node.id.name, undefined);
      if (!isVariables(node)) continue;
      for (const { id, init } of node.declarations) {
        this.bind(id, node.kind === "const" && init != null ? this.valueOf(init) : undefined);
      }
    }
  }

  /** Binds a name, or the names a pattern takes out of the context. */
  bind(pattern: Pattern, value: Known | undefined): void {
    if (pattern.type === "Identifier") this.#names.set(pattern.name, value);
    else if (pattern.type === "AssignmentPattern") this.bind(pattern.left, value);
    else if (pattern.type === "ObjectPattern") {
      for (const property of pattern.properties) {
        if (property.type === "RestElement") this.bind(property.argument, undefined);
        else {
          const name = property.computed ? undefined : readKey(property.key);
          const method = value?.kind === "context" && name !== undefined;
          this.bind(property.value, method ? { kind: "method", name } : undefined);
        }
      }
    } else if (pattern.type === "ArrayPattern") {
      for (const element of pattern.elements) if (element !== null) this.bind(element, undefined);
    } else if (pattern.type === "RestElement") this.bind(pattern.argument, undefined);
  }

  /** Answers what an expression is known to give. */
  valueOf(node: Expression | Super): Known | undefined {
    switch (node.type) {
      case "Identifier":
        return this.find(node.name);
      case "Literal":
        return toConstant(node.value);
      case "TemplateLiteral":
        return node.expressions.length === 0 ? toConstant(node.quasis[0]?.value.cooked) : undefined;
      case "ParenthesizedExpression":
        return this.valueOf(node.expression);
      case "ObjectExpression":
        return { kind: "object", node, scope: this };
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return { kind: "function", node, scope: this };
      case "MemberExpression": {
        const name =
          node.computed || node.optional || node.property.type !== "Identifier" ? undefined : node.property.name;
        const object = this.valueOf(node.object);
        return object?.kind === "context" && name !== undefined ? { kind: "method", name } : undefined;
      }
      case "BinaryExpression": {
        if (node.left.type === "PrivateIdentifier") return undefined;
        return calculate(node.operator, this.valueOf(node.left), this.valueOf(node.right));
      }
      default:
        return undefined;
    }
  }
}

function calculate(operator: string, left: Known | undefined, right: Known | undefined): Known | undefined {
  if (left?.kind !== "constant" || right?.kind !== "constant") return undefined;
  const [a, b] = [left.value, right.value];
  if (operator === "+" && (typeof a === "string" || typeof b === "string")) return toConstant(`${a}${b}`);
  if (typeof a !== "number" || typeof b !== "number") return undefined;
  if (operator === "+") return toConstant(a + b);
  if (operator === "-") return toConstant(a - b);
  if (operator === "*") return toConstant(a * b);
  return operator === "/" ? toConstant(a / b) : undefined;
}

/** Most characters of a text that is kept: added to itself again and again it would fill the memory. */
const TEXT = 1_000;

function toConstant(value: unknown): Known | undefined {
  if (typeof value === "string") return value.length > TEXT ? undefined : { kind: "constant", value };
  return typeof value === "number" && Number.isFinite(value) ? { kind: "constant", value } : undefined;
}

/** A property's name as written. */
export function readKey(key: Node): string | undefined {
  if (isIdentifier(key)) return key.name;
  return key.type === "Literal" && "value" in key && typeof key.value === "string" ? key.value : undefined;
}

function isIdentifier(node: unknown): node is { readonly type: "Identifier"; readonly name: string } {
  return typeof node === "object" && node !== null && "type" in node && node.type === "Identifier" && "name" in node;
}

/** A declaration, out of the `export` that may stand before it. */
function findDeclaration(statement: Node): Node {
  if (!/^Export(Named|Default)Declaration$/.test(statement.type) || !("declaration" in statement)) return statement;
  const { declaration } = statement;
  return isDeclaration(declaration) ? declaration : statement;
}

function isDeclaration(node: unknown): node is Node {
  return typeof node === "object" && node !== null && "type" in node;
}

function isFunction(node: Node): node is FunctionNode {
  return node.type === "FunctionDeclaration";
}

function isVariables(node: Node): node is import("acorn").VariableDeclaration {
  return node.type === "VariableDeclaration";
}
