import { expect, it } from "vitest";
import { tellAnswer, tellValue } from "../../../src/web/elements/dialog/change/differences.ts";
import { en } from "../../../src/web/ui/words/en.ts";

it("tells a value that changes, one that is new, and a secret by its being another", () => {
  const path = ["photos", "edge"];
  expect(tellValue(en, { path, kind: "changed", before: 1440, after: 900 })).toEqual({
    place: "photos › edge",
    code: true,
    kind: "changed",
    before: "1440",
    after: "900",
  });
  expect(tellValue(en, { path, kind: "added", after: "" })).toMatchObject({ kind: "new", after: '""' });
  const secret = tellValue(en, { path, kind: "changed", before: "***", after: "***" });
  expect(secret).toMatchObject({ after: "another secret value" });
  expect(secret).not.toHaveProperty("before");
});

it("tells an answer under its question, a password without its values", () => {
  const common = { key: "edge", question: "Longest edge" };
  expect(tellAnswer(en, { ...common, kind: "changed", before: 1440, after: 900 })).toMatchObject({
    place: "Longest edge",
    before: "1440",
    after: "900",
  });
  expect(tellAnswer(en, { ...common, kind: "changed" })).toMatchObject({ after: "another secret value" });
  expect(tellAnswer(en, { ...common, kind: "removed" })).toEqual({
    place: "Longest edge",
    code: false,
    kind: "not asked any more",
  });
});
