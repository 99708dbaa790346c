/** What the machines' literals are held to: small, plain enough for Stately's editor, and each its own. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { type AnyNode, type Expression, parse } from "acorn";
import { full } from "acorn-walk";
import { describe, expect, it } from "vitest";
import { machines } from "../../machines/index.ts";

const names = Object.keys(machines);

function sourceOf(name: string): string {
  return readFileSync(new URL(`../../machines/${name}/machine.ts`, import.meta.url), "utf8");
}

/** The arguments of the one `setup(...).createMachine(...)` of a source; types become spaces, so that places stay. */
function readLiteral(source: string) {
  const found: { readonly call: AnyNode; readonly setup: Expression; readonly config: Expression }[] = [];
  full(parse(stripTypeScriptTypes(source), { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { object, property } = node.callee;
    const [config] = node.arguments;
    if (property.type !== "Identifier" || property.name !== "createMachine") return;
    if (object.type !== "CallExpression" || object.callee.type !== "Identifier" || object.callee.name !== "setup")
      return;
    const [setup] = object.arguments;
    if (config === undefined || config.type === "SpreadElement") throw new Error("no config");
    if (setup === undefined || setup.type === "SpreadElement") throw new Error("no setup");
    found.push({ call: node, setup, config });
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) throw new Error(`${found.length} machines in one file`);
  return only;
}

/** Places of a config that are not plain: anything but literals, objects and lists of them, and functions in between. */
function computedIn(node: AnyNode, path: string): readonly string[] {
  switch (node.type) {
    case "Literal":
    case "ArrowFunctionExpression":
      return [];
    case "ArrayExpression":
      return node.elements.flatMap((one, at) => (one === null ? [] : computedIn(one, `${path}[${at}]`)));
    case "ObjectExpression":
      return node.properties.flatMap((one) => {
        if (one.type === "SpreadElement") return [`${path}: a spread`];
        if (one.computed || one.method || one.shorthand) return [`${path}: not a plain key`];
        const key = one.key.type === "Identifier" ? one.key.name : one.key.type === "Literal" ? one.key.value : "?";
        return computedIn(one.value, `${path}.${key}`);
      });
    default:
      return [`${path}: ${node.type}`];
  }
}

/** A line that only opens or closes something: punctuation, or a key before the bracket it opens. */
function isTrivial(line: string): boolean {
  return !/\w/.test(line) || /^(("[^"]*"|\w+): |[\w.})]+)?[[({]+$/.test(line);
}

function literalLines(name: string): readonly string[] {
  const source = sourceOf(name);
  const { call } = readLiteral(source);
  return source
    .slice(call.start, call.end)
    .split("\n")
    .map((line) => line.trim());
}

describe.each(names)("the literal of %s", (name) => {
  it("has no spread, no variable and no computed key", () => {
    const { setup, config } = readLiteral(sourceOf(name));
    expect(computedIn(config, name)).toEqual([]);
    expect(setup.type === "ObjectExpression" && setup.properties.every(({ type }) => type === "Property")).toBe(true);
  });

  it("stands in a file of at most 400 lines", () => {
    expect(sourceOf(name).split("\n").length).toBeLessThanOrEqual(400);
  });
});

/**
 * Lines are compared trimmed; those that only open or close something are not counted as shared, as every literal has
 * them. The share is of all lines of the literal.
 */
describe.each(["install", "upgrade", "update"])("of the lines of %s's literal", (name) => {
  const siblings = ["install", "upgrade", "update"].filter((other) => other !== name);

  it("less than 15 % stand in a sibling's", () => {
    const theirs = new Set(siblings.flatMap(literalLines));
    const own = literalLines(name);
    const shared = own.filter((line) => !isTrivial(line) && theirs.has(line));
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.length / own.length).toBeLessThan(0.15);
  });
});

describe("what the tests of literals find", () => {
  const literal = (config: string) => `setup({}).createMachine(${config});`;
  const computed = (config: string) => computedIn(readLiteral(literal(config)).config, "m");

  it.each([
    ["a spread", "{ states: { A: { ...common } } }"],
    ["a variable", "{ states: { A: shared } }"],
    ["a call", "{ states: make() }"],
    ["a computed key", "{ states: { [A]: {} } }"],
    ["a template", "{ on: { x: `#m.A` } }"],
  ])("%s", (_what, config) => {
    expect(computed(config)).toHaveLength(1);
  });

  it("nothing in a plain one", () => {
    expect(computed('{ id: "m", on: { "a.b": { target: "A", params: ({ event }) => ({ ...event }) } } }')).toEqual([]);
  });

  it("two machines in one file", () => {
    expect(() => readLiteral(literal("{}").repeat(2))).toThrow("2 machines in one file");
  });
});
