/**
 * Which calls of its context a function is sure to make when it runs: what the checks of `getInput` and `waitForApp` judge.
 * Works on JavaScript as acorn reads it, follows calls within the text and knows constants.
 *
 * Invariant: what can't be told is left out, so that no author is warned of what is right. A branch, a loop's body and a
 * callback nobody is seen to call may not run; what follows a branch that returns may not either.
 */
import type { CallExpression, Function as FunctionNode, Node, Program } from "acorn";
import { type Constant, type Known, type KnownObject, readConstant, Scope } from "./known-values.ts";

/** A call of the context's own method. */
export interface SureCall {
  readonly method: string;
  readonly call: CallExpression;
  /** Its arguments where they are known. */
  readonly values: readonly (Constant | KnownObject | undefined)[];
  /** Whether an error it throws is caught by the script. */
  readonly caught: boolean;
}

/** Most nodes looked at for one text, and most calls one within another. */
const NODES = 200_000;
const DEPTH = 30;

/**
 * Reads a text's functions: each asked for by the name it has there, its first parameter the context, gives its sure
 * calls in their order. Past what one text may take nothing more is told.
 */
export function readSureCalls(program: Program): (name: string) => readonly SureCall[] {
  const module = new Scope(null);
  module.declareAll(program.body);
  const walk = new Walk();
  return (name) => {
    const known = module.find(name);
    walk.calls = [];
    if (known?.kind === "function") walk.call(known.node, known.scope, [{ kind: "context" }], false);
    return walk.calls;
  };
}

class Walk {
  calls: SureCall[] = [];
  readonly #leaving = new WeakMap<Node, boolean>();
  #nodes = 0;
  #depth = 0;

  call(node: FunctionNode, outer: Scope, given: readonly (Known | undefined)[], caught: boolean): void {
    if (this.#depth >= DEPTH) return;
    this.#depth += 1;
    const scope = new Scope(outer);
    for (const [index, param] of node.params.entries()) scope.bind(param, given[index]);
    if (node.body.type === "BlockStatement") this.#statements(node.body.body, new Scope(scope), caught);
    else this.#expression(node.body, scope, caught);
    this.#depth -= 1;
  }

  /** Whether what comes behind is sure to be reached, as far as nothing is thrown. */
  #statements(statements: readonly Node[], scope: Scope, caught: boolean): boolean {
    scope.declareAll(statements);
    return statements.every((statement) => this.#statement(statement, scope, caught));
  }

  #statement(node: Node, scope: Scope, caught: boolean): boolean {
    this.#nodes += 1;
    if (this.#nodes > NODES) return false;
    switch (node.type) {
      case "ReturnStatement":
      case "ThrowStatement":
        this.#children(node, scope, caught);
        return false;
      case "BlockStatement":
        return this.#statements(listIn(node, "body"), new Scope(scope), caught);
      case "LabeledStatement":
        return this.#part(node, "body", (body) => this.#statement(body, scope, caught)) && !this.#leaves(node);
      case "TryStatement": {
        const handled = findNode(node, "handler") !== null;
        this.#part(node, "block", (block) => this.#statement(block, scope, caught || handled));
        this.#part(node, "finalizer", (block) => this.#statement(block, scope, caught));
        return !this.#leaves(node);
      }
      case "IfStatement":
      case "WhileStatement":
        this.#part(node, "test", (test) => this.#expression(test, scope, caught));
        return !this.#leaves(node);
      case "SwitchStatement":
        this.#part(node, "discriminant", (value) => this.#expression(value, scope, caught));
        return !this.#leaves(node);
      case "ForStatement":
        return !this.#leaves(node);
      case "ForInStatement":
      case "ForOfStatement":
        this.#part(node, "right", (right) => this.#expression(right, scope, caught));
        return !this.#leaves(node);
      case "DoWhileStatement":
        this.#part(node, "body", (body) => this.#statement(body, scope, caught));
        return !this.#leaves(node);
      case "BreakStatement":
      case "ContinueStatement":
        return false;
      case "FunctionDeclaration":
      case "ClassDeclaration":
        return true;
      default:
        this.#children(node, scope, caught);
        return true;
    }
  }

  #expression(node: Node, scope: Scope, caught: boolean): void {
    this.#nodes += 1;
    if (this.#nodes > NODES) return;
    switch (node.type) {
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "ClassExpression":
        return;
      case "ConditionalExpression":
        this.#part(node, "test", (test) => this.#expression(test, scope, caught));
        return;
      case "LogicalExpression":
        this.#part(node, "left", (left) => this.#expression(left, scope, caught));
        return;
      case "ChainExpression":
        return;
      default:
        this.#children(node, scope, caught);
        if (isCall(node)) this.#called(node, scope, caught);
    }
  }

  #called(call: CallExpression, scope: Scope, caught: boolean): void {
    const given = call.arguments.map((argument) =>
      argument.type === "SpreadElement" ? undefined : scope.valueOf(argument),
    );
    const known = scope.valueOf(call.callee);
    if (known?.kind === "function") this.call(known.node, known.scope, given, caught);
    if (known?.kind === "method") {
      this.calls.push({ method: known.name, call, caught, values: given.map(readConstant) });
    }
  }

  /** Whether a function may end, or a loop, in here. */
  #leaves(node: Node): boolean {
    const known = this.#leaving.get(node);
    if (known !== undefined) return known;
    const found =
      /^(Return|Break|Continue)Statement$/.test(node.type) ||
      (!/Function|Class/.test(node.type) && listChildren(node).some((child) => this.#leaves(child)));
    this.#leaving.set(node, found);
    return found;
  }

  #children(node: Node, scope: Scope, caught: boolean): void {
    for (const child of listChildren(node)) this.#expression(child, scope, caught);
  }

  #part(node: Node, name: string, look: (part: Node) => unknown): boolean {
    const part = findNode(node, name);
    return part === null || look(part) !== false;
  }
}

function isCall(node: Node): node is CallExpression {
  return node.type === "CallExpression";
}

function listChildren(node: Node): readonly Node[] {
  return Object.values(node).flatMap((part: unknown): readonly Node[] => {
    if (Array.isArray(part)) return part.filter(isNode);
    return isNode(part) ? [part] : [];
  });
}

function findNode(node: Node, name: string): Node | null {
  const part: unknown = Object.entries(node).find(([key]) => key === name)?.[1];
  return isNode(part) ? part : null;
}

function listIn(node: Node, name: string): readonly Node[] {
  const part: unknown = Object.entries(node).find(([key]) => key === name)?.[1];
  return Array.isArray(part) ? part.filter(isNode) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
