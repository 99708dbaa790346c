/** The stand-in's methods of each release, held against what the real release has (the schemas beside the project). */
import { describe, expect, test } from "vitest";
import { HOST_METHODS, nameOnWire, SESSION_CALLS } from "../../src/adapters/host-rpc/host-calls.ts";
import { collectMethods } from "../../src/standin/methods/index.ts";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { listParameters } from "../support/wire-check/check-values.ts";
import { findSchemaRelease, hasHostSchemas, hasMethod, loadMethods } from "../support/wire-check/host-schemas.ts";

describe.skipIf(!hasHostSchemas()).each(GENERATIONS)("the methods of %s", (generation) => {
  const release = findSchemaRelease(`v${generation}.`);
  const methods = [...collectMethods(generation).values()];

  test("are those of the release, no more and no fewer", () => {
    expect(methods.map(({ name }) => name).filter((name) => !hasMethod(release, name))).toEqual([]);
    const played = new Set(methods.map(({ name }) => name));
    expect([...loadMethods(release).keys()].filter((name) => hasMethod(release, name) && !played.has(name))).toEqual(
      [],
    );
  });

  test("name their parameters as the release does, and are jobs where it has jobs", () => {
    const modelled = methods.filter(({ name }) => loadMethods(release).get(name)?.accepts !== undefined);
    expect(modelled.length).toBeGreaterThan(30);
    for (const { name, names, kind } of modelled) {
      expect([name, ...names]).toEqual([name, ...(listParameters(release, name) ?? [])]);
      // The models do not mark this one, which is a job all the same.
      if (name !== "core.job_wait") expect([name, kind === "job"]).toEqual([name, loadMethods(release).get(name)?.job]);
    }
  });
});

test.each(GENERATIONS)("every call of the adapter is one the stand-in of %s has", (generation) => {
  const played = collectMethods(generation);
  const called = [...SESSION_CALLS, ...HOST_METHODS.flatMap((method) => nameOnWire(method, generation) ?? [])];
  expect(called.filter((name) => !played.has(name))).toEqual([]);
  const uncalled = HOST_METHODS.filter((method) => nameOnWire(method, generation) === null);
  expect(uncalled).toEqual(generation === "25.04" ? ["pool.dataset.rename"] : []);
  expect(uncalled.filter((method) => played.has(method))).toEqual([]);
});
