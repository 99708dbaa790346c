/** The stream of events as a tab hears it: through the worker all tabs share, or of its own where there is none. */
import { authorize } from "./client.ts";
import type { StreamMessage } from "./follow-events.ts";
import { type Membership, StreamHub, type StreamRequest } from "./stream-hub.ts";
import type { WorkerAnswer, WorkerRequest } from "./stream-worker.ts";
import { createWorkerUrl } from "./worker-url.ts";

/** Changes with what tabs and worker say to each other: a tab from before an update keeps to its own worker. */
const WORKER_NAME = "slipway-stream-2";
/** Ms without a word of the worker after which it counts as dead; it says four in that time. */
const SILENCE_MS = 60_000;
/** Ms until another bearer is tried in place of one that was refused: some embedders make a new one each time. */
const RENEW_MS = 1_000;

const ownHub = new StreamHub();

/** Listens to the changes of an interface, at `api`, until the membership is left. */
export function openStream(api: string, listener: (message: StreamMessage) => void): Membership {
  const end = new AbortController();
  const { signal } = end;
  let bearer: string | undefined;
  let membership: Membership | undefined;
  const hear = (message: StreamMessage) => {
    listener(message);
    // An embedder's bearer may have run out, and be another by now.
    if (message.kind === "state" && message.state === "refused") setTimeout(open, RENEW_MS, bearer);
  };
  /** Opens it as whoever calls now, unless that is by the bearer named. */
  const open = async (refused?: string) => {
    const headers = await authorize();
    const next = JSON.stringify(headers);
    if (signal.aborted || next === refused) return;
    bearer = next;
    const request = { address: new URL(`${api}/events`, location.href).href, headers };
    const left = membership;
    const joinOwn = () => ownHub.join(request, hear);
    membership =
      joinThroughWorker(request, hear, (hasSpoken) => {
        if (hasSpoken) void open();
        else membership = joinOwn();
      }) ?? joinOwn();
    left?.leave();
  };
  void open();
  // A tab that is kept for going back hears nothing meanwhile.
  addEventListener("pagehide", () => membership?.leave(), { signal });
  addEventListener("pageshow", ({ persisted }) => void (persisted && open()), { signal });
  return {
    reopen: () => {
      membership?.reopen();
      // After a log-in the session has another key.
      void open(bearer);
    },
    leave: () => {
      end.abort();
      membership?.leave();
    },
  };
}

/**
 * Undefined where browsers have no such workers, or the module's address is of another origin. `onFailed`: it could not be
 * loaded, or died, as with the tab whose process it shared; `hasSpoken` where another one may do.
 */
function joinThroughWorker(
  request: StreamRequest,
  hear: (message: StreamMessage) => void,
  onFailed: (hasSpoken: boolean) => void,
): Membership | undefined {
  if (typeof SharedWorker === "undefined") return undefined;
  try {
    const worker = new SharedWorker(createWorkerUrl(), { type: "module", name: WORKER_NAME });
    const { port } = worker;
    const ask = (asked: WorkerRequest) => port.postMessage(asked);
    let isLeft = false;
    let hasSpoken = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      isLeft = true;
      clearTimeout(timer);
      ask({ kind: "close" });
      port.close();
    };
    const fail = () => {
      if (isLeft) return;
      leave();
      onFailed(hasSpoken);
    };
    const awaitWord = () => {
      clearTimeout(timer);
      timer = setTimeout(fail, SILENCE_MS);
    };
    worker.onerror = fail;
    port.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if (isLeft) return;
      hasSpoken = true;
      awaitWord();
      if (data.kind !== "alive") hear(data);
    };
    awaitWord();
    ask({ kind: "open", ...request });
    return { reopen: () => ask({ kind: "reopen" }), leave };
  } catch {
    return undefined;
  }
}
