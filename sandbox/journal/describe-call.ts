import type { CallOp } from "./call-class.ts";
import { showAddress } from "./show-address.ts";

/**
 * A call in words, e.g. `GET http://127.0.0.1:80/api`: never a query string, a header, a body or what could be a token.
 * Pure.
 */
export function describeCall(op: CallOp): string {
  switch (op.op) {
    case "fetch":
      return describeRequest(op);
    case "waitForApp":
      return `waitForApp ${describeRequest(op)}`;
    case "context":
      return "id" in op.call ? `${op.call.kind} "${op.call.id}"` : op.call.kind;
    case "timer":
      return `timer of ${op.ms} ms`;
    case "fetch.abort":
    case "timer.clear":
      return op.op;
  }
}

function describeRequest({ method, url }: { readonly method: string; readonly url: string }): string {
  const address = showAddress(url);
  return address === null ? method : `${method} ${address}`;
}
