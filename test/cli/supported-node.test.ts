import fc from "fast-check";
import semver from "semver";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { refuseNode } from "../../src/cli/supported-node.ts";

it("a Node is refused exactly where engines in package.json leaves it out", () => {
  const part = fc.oneof(fc.nat(30), fc.nat(1));
  const major = fc.oneof(fc.constantFrom(23, 24, 25, 26, 27), fc.nat(30));
  fc.assert(
    fc.property(major, part, part, (...version) => {
      const text = version.join(".");
      expect(refuseNode(text) === null).toBe(semver.satisfies(text, packageJson.engines.node));
    }),
    { numRuns: 1_000 },
  );
});

it.each(["24.15.0", "24.21.0", "26.0.0"])("Node %s is taken", (version) => {
  expect(refuseNode(version)).toBeNull();
});

it.each(["22.22.2", "24.14.9", "25.9.0", "27.0.0"])("Node %s is refused in one line", (version) => {
  expect(refuseNode(version)).toBe(`slipway needs Node 24 (24.15.0 or newer) or 26, this is v${version}`);
});
