import type { EngineEvent } from "../api.ts";
import type { Store } from "../ports/store.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Watches without a gap: ends where a change it has yet to tell was pruned since it began, so that whoever goes on from the
 * last number finds `oldest` of the event log above the next one. What was gone before it began is left out.
 */
export function watchUnbroken(
  store: Pick<Store, "oldestSeq">,
  runtime: Pick<Runtime, "watch">,
  fromSeq: number,
  signal?: AbortSignal,
): AsyncGenerator<EngineEvent, void, undefined> {
  // Before anything is awaited: the caller may have told where the log begins at this moment.
  return tellUntilGap(runtime.watch(fromSeq, signal), Math.max(fromSeq + 1, store.oldestSeq()));
}

async function* tellUntilGap(changes: AsyncIterable<EngineEvent>, first: number) {
  let next = first;
  for await (const change of changes) {
    if (change.seq > next) return;
    if (change.seq === next) next += 1;
    yield change;
  }
}
