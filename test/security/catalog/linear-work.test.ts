/** What authors write as much of as they may, where the engine's own thread works on it: time linear in its length. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recoverAnswers } from "../../../src/core/adopt/recover-answers.ts";
import { recoverRandoms } from "../../../src/core/adopt/recover-randoms.ts";
import { listGates } from "../../../src/core/hooks/consents.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";
import { measureSvg } from "../../../src/core/pictures/draw-cost.ts";
import type { Hook, Question } from "../../../src/core/script/dictionary.ts";
import { findNamedPaths } from "../../../src/engine/effects/files/names-path.ts";
import { fuzz } from "../../support/fuzz.ts";
import { cpuMs } from "../../support/held-thread.ts";
import { HOST, rawQuestion } from "../../support/scripts/plans.ts";
import { dictionaryOf, rawHook } from "../../support/scripts/scripts.ts";
import { SLOWNESS } from "../../support/slowness.ts";

const MOST_MS = 200 * SLOWNESS;

/** CPU ms of this thread, the least of three runs: what another process takes of its caches is not its own. */
function measure(work: () => unknown): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = cpuMs();
      work();
      return cpuMs() - before;
    }),
  );
}

const items = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

function readHooks(requires: readonly (readonly number[])[]): readonly Hook[] {
  const asked = { events: ["onAfterInstall"], rerun: undefined, userOptional: { default: true } };
  const { hooks } = dictionaryOf("app", {
    hooks: requires.map((of, index) =>
      rawHook({ ...asked, id: `h${index}`, requiresHooks: of.map((one) => `h${one}`) }),
    ),
  });
  expect(hooks).toHaveLength(requires.length);
  return hooks;
}

describe("the worst of each kind takes no longer than", () => {
  it("style rules about every element of an SVG, each by thousands of classes", () => {
    const rules = ".c{fill:url(#a)}".repeat(900);
    const svg = (body: string) =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><style>${rules}</style>${body}</svg>`);
    expect(measure(() => measureSvg(svg('<g class="c c c c"/>'.repeat(9_000))))).toBeLessThan(MOST_MS);
    expect(measure(() => measureSvg(svg(`<g class="${"c ".repeat(60_000)}"/>`)))).toBeLessThan(MOST_MS);
  });

  it("consents behind each other", () => {
    const [first] = readHooks([[]]);
    if (first === undefined) throw new Error("there is no hook");
    const hooks = items(20_000, (index): Hook => ({ ...first, id: `h${index}`, requiresHooks: [`h${index + 1}`] }));
    expect(measure(() => listGates(hooks[0] ?? first, hooks))).toBeLessThan(MOST_MS);
  });

  it("answers that can be told once the next one is known", () => {
    const last = 499;
    const questions = dictionaryOf("app", {
      installation_questions: items(last + 1, (index) => rawQuestion(`k${index}`)),
    });
    const write = (show: (index: number) => string): JsonObject => ({
      list: items(last + 1, (index) => (index === last ? show(index) : `${show(index)}-${show(index + 1)}`)),
    });
    const appValues = write((index) => `$QUESTION(k${index})`);
    const live = write((index) => `v${index}`);
    const recover = () => recoverAnswers({ questions: questions.questions, appValues }, live, HOST);
    expect(Object.keys(recover().answers)).toHaveLength(last + 1);
    expect(measure(recover)).toBeLessThan(MOST_MS);
  });

  it("lists whose items have moved", () => {
    const write = (text: string) => ({ list: items(8_000, (index) => ({ id: `i${index}`, text })) });
    const appValues: JsonObject = { list: items(8_000, (index) => ({ id: `o${index}`, text: "$RANDOM_STRING(8)" })) };
    expect(measure(() => recoverRandoms({ appValues }, write("x")))).toBeLessThan(MOST_MS * 5);
  });
});

fuzz("a text names the paths that are in it, and is searched in time linear in its length", 100, () => {
  const name = fc.constantFrom("a", "aa", "mnt", "tank", ".a", "a b", "a\\");
  const path = fc.array(name, { minLength: 2, maxLength: 6 }).map((names) => `/${names.join("/")}`);
  const part = fc.constantFrom("/", "/.", "\\/", "a", "/a", "/mnt/tank", '"', ":", " ");
  const text = fc.tuple(fc.array(part, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 4_000 }));
  return fc.property(fc.array(path, { minLength: 1, maxLength: 50 }), text, (paths, [parts, times]) => {
    const long = parts.join("").repeat(times);
    const before = cpuMs();
    const named = new Set(paths);
    const all = [...named, "/in/no/text"];
    expect(findNamedPaths([long, ...paths.map((one) => `x:${one}:ro`)], all)).toEqual(named);
    expect(cpuMs() - before).toBeLessThan(MOST_MS);
  });
});

fuzz("any SVG of what names other elements is measured in time linear in its length", 100, () => {
  const part = fc.constantFrom(
    '<g class="a b">',
    "</g>",
    '<g id="a"/>',
    '<use href="#a"/>',
    '<path fill="url(#b)"/>',
    "<style>.a{fill:url(#a)}</style>",
    "<style>#a,.b{mask:url('#b')}",
    "</style>",
    "<!--",
    "-->",
    "url(",
    "&#x61;",
  );
  return fc.property(
    fc.array(fc.tuple(fc.array(part, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 400 })), {
      maxLength: 5,
    }),
    (parts) => {
      const body = parts.map(([one, times]) => one.join("").repeat(times)).join("");
      const before = cpuMs();
      measureSvg(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`));
      expect(cpuMs() - before).toBeLessThan(MOST_MS);
    },
  );
});

fuzz("the gates of a hook are every consent it requires, whatever requires what", 50, () => {
  const requires = fc.array(fc.array(fc.nat({ max: 49 }), { maxLength: 8 }), { minLength: 1, maxLength: 50 });
  return fc.property(requires, (written) => {
    const before = cpuMs();
    // Only of those declared before: circles are refused.
    const hooks = readHooks(written.map((of, index) => [...new Set(of.filter((one) => one < index))]));
    const behind = new Map<string, ReadonlySet<string>>();
    for (const { id, requiresHooks } of hooks)
      behind.set(id, new Set(requiresHooks.flatMap((one) => [one, ...(behind.get(one) ?? [])])));
    for (const hook of hooks) expect(new Set(listGates(hook, hooks).map(({ id }) => id))).toEqual(behind.get(hook.id));
    expect(cpuMs() - before).toBeLessThan(MOST_MS * 5);
  });
});

fuzz("answers are recovered from texts that share them, or not at all, in whatever order they are asked", 50, () => {
  const places = fc.array(fc.uniqueArray(fc.nat({ max: 29 }), { minLength: 1, maxLength: 3 }), { maxLength: 60 });
  return fc.property(places, (shared) => {
    const questions: readonly Question[] = dictionaryOf("app", {
      installation_questions: items(30, (index) => rawQuestion(`k${index}`)),
    }).questions;
    const write = (show: (index: number) => string): JsonObject => ({
      list: shared.map((of) => of.map(show).join("-")),
    });
    const appValues = write((index) => `$QUESTION(k${index})`);
    const live = write((index) => `v${index}`);
    const before = cpuMs();
    const { answers, unknown } = recoverAnswers({ questions, appValues }, live, HOST);
    expect(cpuMs() - before).toBeLessThan(MOST_MS);
    for (const [key, value] of Object.entries(answers)) expect(value).toBe(key.replace("k", "v"));
    for (const { key } of questions) expect(key in answers || unknown.has(key)).toBe(true);
    // One that stands alone is always told.
    for (const [only, ...others] of shared) if (others.length === 0) expect(answers).toHaveProperty(`k${only}`);
  });
});
