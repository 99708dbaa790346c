/**
 * The guest's entry (`GUEST_BUNDLE`): turns a bare isolate into what `docs/hooks.md` promises, then waits for
 * the run. Everything here happens before any script is known; the order of imports is the order of evaluation.
 */
import "./bridge/primordials.ts";
import type { Delivery, Install, StartDelivery } from "../protocol/ops.ts";
import { begin, connect, settle } from "./bridge/bridge.ts";
import { hasOwn, parseJson } from "./bridge/primordials.ts";
import { run } from "./bridge/runner.ts";
import { exposeGlobals } from "./globals.ts";

/** Connects the guest to its child process and returns the one way in. */
export const install: Install = (callOut, askParent) => {
  connect(callOut, askParent);
  exposeGlobals();
  return (id, header, body) => {
    const delivery: Delivery = parseJson(header);
    if (isStart(delivery)) {
      begin(delivery);
      run(delivery.start);
    } else settle(id, delivery, body);
  };
};

/** By a member of its own: a script may have given `start` to every object. */
function isStart(delivery: Delivery): delivery is StartDelivery {
  return hasOwn(delivery, "start");
}
