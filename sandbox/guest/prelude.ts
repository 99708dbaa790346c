/**
 * The guest's entry (`GUEST_BUNDLE`): turns a bare isolate into what `facts/script-surface.md` promises, then waits for
 * the run. Everything here happens before any script is known; the order of imports is the order of evaluation.
 */
import "./primordials.ts";
import type { Delivery, Install } from "../ops.ts";
import { begin, connect, settle } from "./bridge.ts";
import { exposeGlobals } from "./globals.ts";
import { parseJson } from "./primordials.ts";
import { run } from "./runner.ts";

/** Connects the guest to its child process and returns the one door in. */
export const install: Install = (callOut, askParent) => {
  connect(callOut, askParent);
  exposeGlobals();
  return (id, header, body) => {
    const delivery: Delivery = parseJson(header);
    if (!("start" in delivery)) {
      settle(id, delivery, body);
      return;
    }
    begin(delivery);
    run(delivery.start);
  };
};
