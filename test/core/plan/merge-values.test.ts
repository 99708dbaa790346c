import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasSections, holdsValues, mergeValues } from "../../../src/core/plan/values/merge-values.ts";

describe("the values of an update", () => {
  it("an update sends the script's sections whole, live keys kept, arrays replaced", () => {
    const script = { network: { web_port: 81, hosts: ["a"] }, demo: { token: "x" } };
    const live = { network: { web_port: 80, hosts: ["b", "c"], dns: "1" }, labels: ["kept"], demo: "old" };
    expect(mergeValues(script, live)).toEqual({
      network: { web_port: 81, hosts: ["a"], dns: "1" },
      demo: { token: "x" },
    });
  });

  const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });

  it("are held by a configuration they were merged into", () => {
    fc.assert(
      fc.property(json, json, (script, live) => {
        const values = mergeValues(Object(script), Object(live));
        expect(holdsValues({ ...Object(live), ...values }, Object(script))).toBe(true);
      }),
    );
  });

  it("are what was there where no section has anything more or else, whatever the order", () => {
    const former = { network: { web_port: 80, hosts: [{ name: "a", ip: "1" }] }, demo: {} };
    const live = { demo: {}, network: { hosts: [{ ip: "1", name: "a" }], web_port: 80 }, labels: [] };
    expect(hasSections(live, former)).toBe(true);
    expect(hasSections({ ...live, demo: { added: 1 } }, former)).toBe(false);
    expect(hasSections({ demo: {} }, former)).toBe(false);
    expect(holdsValues(live, { network: { hosts: [{ name: "a", ip: "1" }] } })).toBe(true);
  });

  it("merge to the same a second time", () => {
    fc.assert(
      fc.property(json, json, (script, live) => {
        const once = mergeValues(Object(script), Object(live));
        expect(mergeValues(Object(script), once)).toEqual(once);
      }),
    );
  });
});
