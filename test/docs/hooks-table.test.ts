import { expect, it } from "vitest";
import { readDocument } from "../support/document.ts";

const PROVEN_BY = "test/engine/hooks/after-a-restart.test.ts";
const README = readDocument("README.md");
const ROWS = README.slice(README.indexOf("| Call | Kept |"))
  .split("\n\n")[0]
  ?.split("\n")
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()));

it("every row of what is kept of a hook's calls has a test with these words in its title", () => {
  expect(README).toContain(`\`${PROVEN_BY}\``);
  expect(ROWS?.length).toBe(8);
  const tests = readDocument(PROVEN_BY);
  const unproven = ROWS?.filter((cells) => cells.length !== 6 || !cells[4] || !tests.includes(cells[4]));
  expect(unproven).toEqual([]);
});
