import { expect, it } from "vitest";
import { joinParts } from "../../../src/engine/effects/hook/join-parts.ts";

it("reads each row once, also where those before it are missing", async () => {
  const row = { digest: "", text: "", bytes: new Uint8Array(), bodies: [] };
  const kept = [
    { ...row, seq: 4 },
    { ...row, seq: 9 },
  ];
  const asked: number[] = [];
  const joined = await joinParts(async (from) => {
    asked.push(from);
    return { rows: kept.filter(({ seq }) => seq >= from).slice(0, 1), head: "head" };
  });
  expect([asked, joined]).toEqual([[0, 5, 10], { rows: kept, head: "head" }]);
});
