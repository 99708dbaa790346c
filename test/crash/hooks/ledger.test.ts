/** What the app's ledger holds against the hooks, and what it lets pass. */
import { expect, test } from "vitest";
import { Ledger } from "./ledger.ts";

function openLedger(): Ledger {
  const ledger = new Ledger();
  ledger.beginLife();
  return ledger;
}

test("a request that a person has given up counts as made, whether it had arrived or not", () => {
  const [arrived, lost] = [openLedger(), openLedger()];
  arrived.receive("POST", "given-1", "");
  for (const ledger of [arrived, lost]) {
    ledger.beginLife();
    ledger.decide("POST", "given-1", "skip");
    expect([ledger.changes, ledger.faults]).toEqual([["POST given-1"], []]);
  }
});

test.each<[string, (ledger: Ledger) => void, string[]]>([
  ["is sent again by one process", () => {}, ["x: sent twice by one process"]],
  ["is sent again by the next", (ledger) => ledger.beginLife(), []],
  [
    "is sent again after its outcome was on the disk",
    (ledger) => {
      ledger.keep(["x"]);
      ledger.beginLife();
    },
    ["x: sent again although its outcome was on the disk"],
  ],
])("a PUT that %s", (_, between, faults) => {
  const ledger = openLedger();
  ledger.receive("PUT", "x", "{}");
  between(ledger);
  ledger.receive("PUT", "x", "{}");
  expect(ledger.faults).toEqual(faults);
});

test.each<["retry" | "skip" | "nothing", string[]]>([
  ["retry", []],
  ["skip", ["x: a POST was sent again without a decision"]],
  ["nothing", ["x: a POST was sent again without a decision"]],
])("a POST that is sent again after a person has pressed %s", (choice, faults) => {
  const ledger = openLedger();
  ledger.receive("POST", "x", "{}");
  ledger.beginLife();
  if (choice !== "nothing") ledger.decide("POST", "x", choice);
  ledger.receive("POST", "x", "{}");
  expect(ledger.faults).toEqual(faults);
});
