import { describe, expect, it } from "vitest";
import { diagnosticsOf, parseWith } from "../../support/scripts/diagnostics.ts";
import { widget } from "../../support/scripts/rule-rows.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

describe("an error drops its carrier and nothing else", () => {
  it("the first of two hooks with one id is kept", () => {
    const { dictionary } = parseWith({
      hooks: [rawHook({ id: "h", title: "First" }), rawHook({ id: "h", title: "Second" })],
    });
    expect(dictionary?.hooks.map(({ title }) => title)).toEqual(["First"]);
  });

  it("drops a chain of hooks that require a dropped one, and nothing else", () => {
    const { dictionary } = parseWith({
      hooks: [
        rawHook({ id: "a", requiresHooks: ["b"] }),
        rawHook({ id: "b", requiresHooks: ["c"] }),
        rawHook({ id: "c", events: [] }),
        rawHook({ id: "d" }),
      ],
    });
    expect(dictionary?.hooks.map(({ id }) => id)).toEqual(["d"]);
  });

  it("a button without a usable hook is not rendered, its widget stays", () => {
    const { dictionary } = parseWith({ hooks: [rawHook({ id: "h" })], ...widget({ buttons: ["x", "h"] }) });
    expect(dictionary?.widgets.map(({ buttons }) => buttons)).toEqual([["h"]]);
  });

  it("refuses the whole script on an error of its own", () => {
    expect(parseWith({ requirements: undefined }).dictionary).toBeNull();
  });

  it("a script whose file name is no app id is refused", () => {
    expect(diagnosticsOf({}, "My App")).toEqual(["error SCRIPT_APP_ID_INVALID {"]);
  });

  it("clamps times, coerces the version and reads a plain owner", () => {
    const { dictionary } = parseWith({
      script: { version: "1.1" },
      requirements: { locations: ["Media"] },
      ensure_directories_exists: [{ path: "$LOCATION(Media)/x", owner: "apps" }],
      hooks: [rawHook({ timeout: 100_000 })],
      ...widget({ refresh: 1, timeout: 100 }),
    });
    expect(dictionary).toMatchObject({
      script: { version: "1.1.0" },
      directories: [{ owner: { user: "apps" } }],
      hooks: [{ timeout: 21_600 }],
      widgets: [{ refresh: 10, timeout: 60 }],
    });
  });
});

describe("requiresHooks at any size", () => {
  const chain = (length: number, last: Record<string, unknown>) =>
    Array.from({ length }, (_, index) => {
      const next = index + 1 < length ? { requiresHooks: [`h${index + 1}`] } : last;
      return rawHook({ id: `h${index}`, ...next });
    });

  it("drops a chain of 150 hooks whose last one is dropped, each with its own error", () => {
    const { dictionary, problems } = parseWith({ hooks: chain(150, { events: [] }) });
    expect(dictionary?.hooks).toEqual([]);
    expect(problems.filter(({ code }) => code === "HOOK_REQUIRES_UNKNOWN")).toHaveLength(149);
  });

  it("finds a circle of 200 hooks at each of them", () => {
    const { problems } = parseWith({ hooks: chain(200, { requiresHooks: ["h0"] }) });
    expect(problems.map(({ code }) => code)).toEqual(Array.from({ length: 200 }, () => "HOOK_REQUIRES_CYCLE"));
  });

  it("calls a hook that leads into a circle, or from one to another, no part of it", () => {
    const pair = (a: string, b: string, more: string[] = []) => [
      rawHook({ id: a, requiresHooks: [b] }),
      rawHook({ id: b, requiresHooks: [a, ...more] }),
    ];
    const hooks = [...pair("a", "b", ["between"]), rawHook({ id: "between", requiresHooks: ["c"] }), ...pair("c", "d")];
    const { problems } = parseWith({ hooks });
    const found = problems.map(({ code, path }) => `${code} ${hooks[Number(path[1])]?.["id"]}`);
    expect(found).toEqual([
      "HOOK_REQUIRES_CYCLE a",
      "HOOK_REQUIRES_CYCLE b",
      "HOOK_REQUIRES_UNKNOWN b",
      "HOOK_REQUIRES_UNKNOWN between",
      "HOOK_REQUIRES_CYCLE c",
      "HOOK_REQUIRES_CYCLE d",
    ]);
  });
});
