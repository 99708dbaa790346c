/** What parsing makes of a whole script, whatever its version, the order of its keys and the number of its faults. */
import { expect, it } from "vitest";
import { parseWith } from "../../support/scripts/diagnostics.ts";
import { hook, widget } from "../../support/scripts/rule-rows.ts";
import { rawHook, rawScript } from "../../support/scripts/scripts.ts";

it("a problem suggests the nearest known key and value", () => {
  const { problems } = parseWith({ hooks: [rawHook({ kind: "conect", retires: 1 })] });
  expect(problems.map(({ hint }) => hint)).toEqual(['write "connect"', 'write "retries", or remove the key']);
});

it("reads a script of every version into one normal form", () => {
  const shared = { optional: true, timeout: 60, retries: 2, inputs: [] };
  const five = parseWith({
    version: 5,
    hooks: [
      {
        id: "migrate",
        event: "onAfterUpgrade",
        condition: { fromVersionRange: "<2.0.0" },
        description: "Migrating",
        scriptContent: "",
        entrypoint: "run",
        ...shared,
      },
    ],
  });
  const six = parseWith({
    hooks: [
      {
        id: "migrate",
        title: "Migrating",
        description: "Migrating",
        events: [{ event: "onAfterUpgrade", from: "<2.0.0" }],
        scriptContent: "",
        entrypoint: "run",
        ...shared,
      },
    ],
  });
  expect(five.problems).toEqual([]);
  expect(six.problems).toEqual([]);
  expect({ ...five.dictionary?.hooks[0], dialect: 6 }).toEqual(six.dictionary?.hooks[0]);
  expect(parseWith({ version: 4 }).dictionary).toMatchObject({ version: 4, hooks: [], widgets: [] });
});

it("judges a script alike whatever the order of its keys", () => {
  const script = rawScript({ ...hook({ rerun: undefined }), hoks: 1, network: {} });
  const turned = Object.fromEntries(Object.entries(script).reverse());
  const codes = (changes: Record<string, unknown>) =>
    parseWith(changes)
      .problems.map(({ code }) => code)
      .sort();
  expect(codes(turned)).toEqual(codes(script));
});

it("counts every fault of lists of 3,000 entries and shows the first 200", () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `e${index}`);
  const { problems } = parseWith({
    hooks: [rawHook({ id: "h", events: many, surfaces: [], requiresHooks: many })],
    ...widget({ buttons: many }),
  });
  expect(problems.filter(({ code }) => code === "HOOK_EVENT_FUTURE")).toHaveLength(200);
  expect(problems).toHaveLength(201);
});
