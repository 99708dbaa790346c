/** The drawings of the machines: nothing of a machine is missing in them, and nothing covers anything. */
import { describe, expect, test } from "vitest";
import { machines } from "../../../machines/index.ts";
import { boxLabel, boxTitle, listSegments, overlaps } from "../../../scripts/documents/charts/place-titles.ts";
import { viewMachine } from "../../../src/engine/replay/list-machine.ts";
import type { Box, Chart } from "../../../src/web/elements/machine/chart.ts";
import { drawMachines } from "../../../src/web/elements/machine/charts.ts";
import { charts } from "../support/drawn-machines.ts";

/** The part of a machine's own literal that is drawn. */
interface Literal {
  readonly description?: string;
  readonly states?: Readonly<Record<string, Literal>>;
  readonly on?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly always?: unknown;
}

const drawn = [...charts].map(([id, chart]) => ({ id, chart }));

function literalOf(id: string): Literal {
  return JSON.parse(JSON.stringify(Object.values(machines).find((each) => each.id === id)?.machine.config));
}

function describeStates({ states = {} }: Literal, above = ""): string[] {
  return Object.entries(states).flatMap(([name, state]) => [
    `${above}${name}: ${state.description}`,
    ...describeStates(state, `${above}${name}.`),
  ]);
}

/** `SOURCE cause: description` of every transition. */
function describeTransitions(state: Literal, path = ""): string[] {
  const own = [
    ...Object.entries(state.on ?? {}),
    ...Object.entries(state.after ?? {}).map(([delay, each]): [string, unknown] => [`after ${delay}`, each]),
    ...(state.always === undefined ? [] : [["always", state.always] as const]),
  ].flatMap(([cause, each]) =>
    [each].flat().map((one) => `${path} ${cause}: ${typeof one === "object" ? Object(one).description : one}`),
  );
  const below = Object.entries(state.states ?? {}).flatMap(([name, child]) =>
    describeTransitions(child, path === "" ? name : `${path}.${name}`),
  );
  return [...own, ...below];
}

function coversOf(chart: Chart) {
  const solid = chart.states.filter(({ kind }) => kind !== "compound").map(({ path, box }) => ({ name: path, box }));
  const titles = chart.states.flatMap(({ path, title }) =>
    title ? [{ name: `title of ${path}`, box: boxTitle(path, title) }] : [],
  );
  const labels = chart.edges.map((edge) => ({ name: `label ${edge.from} to ${edge.to}`, box: boxLabel(edge) }));
  return { solid, titles, labels };
}

function isInside([x, y, width, height]: Box, [left, top, wide, high]: Box): boolean {
  return x >= left && y >= top && x + width <= left + wide && y + height <= top + high;
}

test("every machine is drawn, as the version it is", () => {
  expect(drawn.map(({ id, chart }) => [id, chart.version])).toEqual(
    Object.values(machines).map(({ id, version }) => [id, version]),
  );
});

test("a machine that is not the one that was laid out is not drawn", () => {
  const [machine] = Object.values(machines).map(viewMachine);
  if (machine === undefined) throw new Error("no machine");
  const { version, states, transitions } = machine;
  const others = [
    { ...machine, id: "other" },
    { ...machine, version: version + 1 },
    { ...machine, states: states.slice(1) },
    { ...machine, transitions: transitions.filter(({ to }) => to === null) },
  ];
  for (const other of others) expect(drawMachines({ machines: [other] }).size).toBe(0);
});

describe.each(drawn)("the drawing of $id", ({ id, chart }) => {
  test("has every state and every transition with the machine's own words", () => {
    const states = chart.states.map(({ path, text }) => `${path}: ${text}`);
    expect(states.toSorted()).toEqual(describeStates(literalOf(id)).toSorted());
    const transitions = chart.transitions.map(
      ({ from, on, cause, text }) =>
        `${from} ${on === "always" ? "always" : on === "after" ? `after ${cause}` : cause}: ${text}`,
    );
    expect(transitions.toSorted()).toEqual(describeTransitions(literalOf(id)).toSorted());
  });

  test("has a line for every transition that leads to another state", () => {
    const lines = chart.edges.map(({ from, to }) => `${from} to ${to}`);
    const led = chart.transitions.flatMap(({ from, to }) => (from === "" || to === null ? [] : [`${from} to ${to}`]));
    expect(new Set(lines).size).toBe(lines.length);
    expect(new Set(lines)).toEqual(new Set(led));
  });

  test("holds each state in its parent, on the sheet", () => {
    const boxes = new Map(chart.states.map(({ path, box }) => [path, box]));
    for (const { path, box, title } of chart.states) {
      const parent = boxes.get(path.slice(0, Math.max(0, path.lastIndexOf("."))));
      expect(isInside(box, parent ?? [0, 0, chart.width, chart.height]), path).toBe(true);
      if (title) expect(isInside(boxTitle(path, title), box), `title of ${path}`).toBe(true);
    }
    for (const edge of chart.edges) expect(isInside(boxLabel(edge), [0, 0, chart.width, chart.height])).toBe(true);
  });

  test("puts no state, name or label over another", () => {
    const { solid, titles, labels } = coversOf(chart);
    const all = [...solid, ...titles, ...labels];
    const over = all.flatMap((one, index) =>
      all.slice(index + 1).flatMap((other) => (overlaps(one.box, other.box) ? [`${one.name} over ${other.name}`] : [])),
    );
    expect(over).toEqual([]);
  });

  test("leads no line through a state, a name or the label of another, nor along another line", () => {
    const { solid, titles, labels } = coversOf(chart);
    const segments = chart.edges.flatMap(({ from, to, points }) =>
      listSegments(points).map((box) => ({ name: `${from} to ${to}`, box })),
    );
    const through = segments.flatMap((line) =>
      [...solid, ...titles, ...labels].flatMap((each) =>
        overlaps(line.box, each.box) && each.name !== `label ${line.name}` ? [`${line.name} through ${each.name}`] : [],
      ),
    );
    expect(through).toEqual([]);
    const along = segments.flatMap((one, index) =>
      segments.slice(index + 1).flatMap((other) => {
        if (one.name === other.name) return [];
        const [x, y, width, height] = one.box;
        const [left, top, wide, high] = other.box;
        const onTop =
          width === 0 && wide === 0
            ? x === left && y < top + high && top < y + height
            : height === 0 && high === 0 && y === top && x < left + wide && left < x + width;
        return onTop ? [`${one.name} along ${other.name}`] : [];
      }),
    );
    expect(along).toEqual([]);
  });

  test("leads each line through the middle of its own label, up or down", () => {
    for (const edge of chart.edges) {
      const [left, top, width, height] = boxLabel(edge);
      const through = listSegments(edge.points).filter(
        ([x, y, wide, high]) => x === left + width / 2 && wide === 0 && y < top + height && top < y + high,
      );
      expect(through.length, `${edge.from} to ${edge.to}`).toBeGreaterThan(0);
    }
  });

  test("begins each line at its source and ends it at its target", () => {
    const boxes = new Map(chart.states.map(({ path, box }) => [path, box]));
    for (const { from, to, points } of chart.edges) {
      for (const [path, point] of [[from, points[0]] as const, [to, points.at(-1)] as const]) {
        const [x, y] = point ?? [0, 0];
        const [left = 0, top = 0, width = 0, height = 0] = boxes.get(path) ?? [];
        const isOnRim =
          [left, left + width].includes(x) || Math.min(Math.abs(y - top), Math.abs(y - top - height)) < 0.2;
        expect(isOnRim, `${from} to ${to} at ${path}`).toBe(true);
      }
    }
  });
});
