/** The Mermaid text of a machine: each state in its parent's block and nowhere else, transitions outside of every block. */
import { expect, it } from "vitest";
import type { AnyStateMachine } from "xstate";
import { machines } from "../../machines/index.ts";
import { drawMachine } from "../../src/engine/replay/diagram.ts";

interface Drawn {
  /** The block each name first stands in, `""` outside of all; by name. */
  readonly places: ReadonlyMap<string, string>;
  /** Transitions between states, with the block they stand in. */
  readonly transitions: readonly (readonly [block: string, from: string, to: string])[];
}

/** Reads the text as Mermaid does: a state lies in the block it is first named in. */
function readDiagram(text: string): Drawn {
  const places = new Map<string, string>();
  const transitions: [string, string, string][] = [];
  const blocks: string[] = [];
  const name = (state: string) => {
    if (state !== "[*]" && !places.has(state)) places.set(state, blocks.at(-1) ?? "");
  };
  for (const line of text
    .split("\n")
    .slice(1)
    .map((one) => one.trim())) {
    const declared = /^state ".*" as (\w+)$/.exec(line)?.[1];
    const opened = /^state (\w+) \{$/.exec(line)?.[1];
    const [, from, to] = /^(\S+) --> (\S+)/.exec(line) ?? [];
    if (declared !== undefined) name(declared);
    if (opened !== undefined) blocks.push(opened);
    if (line === "}") blocks.pop();
    if (from === undefined || to === undefined) continue;
    name(from);
    name(to);
    if (from !== "[*]" && to !== "[*]") transitions.push([blocks.at(-1) ?? "", from, to]);
  }
  return { places, transitions };
}

function listStates({ root }: AnyStateMachine): readonly (readonly [name: string, parent: string])[] {
  const walk = (node: AnyStateMachine["root"]): readonly (readonly [string, string])[] =>
    Object.values<AnyStateMachine["root"]>(node.states).flatMap((child) => [
      [child.path.join("_"), node.path.join("_")] as const,
      ...walk(child),
    ]);
  return walk(root);
}

it.each(Object.values(machines).map(({ id, machine }): [string, AnyStateMachine] => [id, machine]))(
  "of %s has every state in its parent, and draws none of them into another",
  (_id, machine) => {
    const { places, transitions } = readDiagram(drawMachine(machine));
    expect([...places].filter(([state]) => state !== "ANY").sort()).toEqual([...listStates(machine)].sort());
    expect(transitions.length).toBeGreaterThan(0);
    expect(transitions.filter(([block]) => block !== "")).toEqual([]);
  },
);
