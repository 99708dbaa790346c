/** The stream of events as a tab hears it: through the worker all tabs share, or of its own where there is none. */
import { authorize } from "./client.ts";
import type { StreamMessage } from "./follow-events.ts";
import { type Membership, StreamHub, type StreamRequest } from "./stream-hub.ts";
import type { WorkerRequest } from "./stream-worker.ts";
import { createWorkerUrl } from "./worker-url.ts";

/** Changes with what tabs and worker say to each other: a tab from before an update keeps to its own worker. */
const WORKER_NAME = "slipway-stream-1";

const ownHub = new StreamHub();

/** Listens to the changes of an interface, at `api`, until the membership is left. */
export function openStream(api: string, listener: (message: StreamMessage) => void): Membership {
  const request = readRequest(api);
  let bearer = JSON.stringify(request.headers);
  const hear = (message: StreamMessage) => {
    listener(message);
    if (message.kind !== "state" || message.state !== "refused") return;
    // An embedder's bearer may have run out, and be another by now.
    const next = readRequest(api);
    if (JSON.stringify(next.headers) === bearer) return;
    bearer = JSON.stringify(next.headers);
    open(next);
  };
  let membership: Membership | undefined;
  const open = (as: StreamRequest) => {
    const left = membership;
    membership =
      joinThroughWorker(as, hear, () => {
        membership = ownHub.join(as, hear);
      }) ?? ownHub.join(as, hear);
    left?.leave();
  };
  open(request);
  // A tab that is kept for going back hears nothing meanwhile.
  const onHide = () => membership?.leave();
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) open(readRequest(api));
  };
  addEventListener("pagehide", onHide);
  addEventListener("pageshow", onShow);
  return {
    reopen: () => membership?.reopen(),
    leave: () => {
      removeEventListener("pagehide", onHide);
      removeEventListener("pageshow", onShow);
      membership?.leave();
    },
  };
}

function readRequest(api: string): StreamRequest {
  return { address: new URL(`${api}/events`, location.href).href, headers: authorize() };
}

/** Undefined where browsers have no such workers, or the module's address is of another origin. */
function joinThroughWorker(
  request: StreamRequest,
  hear: (message: StreamMessage) => void,
  onFailed: () => void,
): Membership | undefined {
  if (typeof SharedWorker === "undefined") return undefined;
  try {
    const worker = new SharedWorker(createWorkerUrl(), { type: "module", name: WORKER_NAME });
    const { port } = worker;
    const ask = (asked: WorkerRequest) => port.postMessage(asked);
    let isLeft = false;
    worker.onerror = () => {
      if (!isLeft) onFailed();
      isLeft = true;
    };
    port.onmessage = ({ data }: MessageEvent<StreamMessage>) => {
      if (!isLeft) hear(data);
    };
    ask({ kind: "open", ...request });
    return {
      reopen: () => ask({ kind: "reopen" }),
      leave: () => {
        isLeft = true;
        ask({ kind: "close" });
        port.close();
      },
    };
  } catch {
    return undefined;
  }
}
