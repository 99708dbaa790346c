/** With what a script began: a journal is gone on with only by a run that begins its script with the same. */
import type { RunRequest } from "../../contract.ts";
import { hashText, writeCanonicalJson } from "../../journal/call-class.ts";
import type { RecordOf } from "../../journal/record.ts";
import type { Made } from "./continuity-ports.ts";

export function noteStart(request: RunRequest, made: Made): RecordOf<"start"> {
  const { entrypoint, seed, script } = request;
  return {
    is: "start",
    format: 1,
    entrypoint,
    seed,
    context: hashContext(request),
    made: { script: script.sha256, ...made },
  };
}

export function isStartOf(start: RecordOf<"start">, request: RunRequest): boolean {
  const isSame = start.entrypoint === request.entrypoint && start.seed === request.seed;
  return isSame && (start.context === null || start.context === hashContext(request));
}

function hashContext({ context }: RunRequest): string {
  return hashText(writeCanonicalJson(context));
}
