import { expect, it } from "vitest";
import { readPart } from "../../scripts/documents/document-part.ts";
import { HOST_CAPABILITIES } from "../../src/engine/ports/own-host.ts";
import { codeBlock, readDocument } from "../support/document.ts";

const PAGE = "docs/own-host.md";

it("the minimal host of the page is the one the contract suite runs on, in at most 60 lines", () => {
  const code = codeBlock(readPart({ file: PAGE, name: "own-host" }));
  const tested = readDocument("test/support/host/minimal-host.ts").replaceAll("../../../src/index.ts", "slipway");
  expect(code).toBe(tested);
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});

it("the page has a row for every group of methods, with the methods in it", () => {
  const page = readDocument(PAGE);
  for (const [group, methods] of Object.entries(HOST_CAPABILITIES)) {
    expect(page).toContain(`| \`${group}\` | ${methods.map((name) => `\`${name}\``).join(", ")} |`);
  }
});
