/** The runs in a database in the protocol of `@statelyai/inspect`, for Stately's inspector or any other that speaks it. */
import type { IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { machines } from "../../../machines/index.ts";
import type { StoreReads } from "../../adapters/store-sqlite/reads.ts";
import { createListenError } from "../../core/codes/common-errors.ts";
import { createInspection } from "../../engine/replay/inspection.ts";
import { isHostAllowed } from "../../http/guard.ts";

const ADDRESS = "127.0.0.1";
/** Ms between two looks at a database another process writes to. */
const LOOK_EVERY_MS = 250;
/** Log entries read at once. */
const PAGE = 100;
/** Bytes a client may have waiting for it: one that reads slower is sent no more until the next look. */
const MOST_WAITING = 1024 * 1024;
/** The one page elsewhere that may read the log of this machine. */
const INSPECTOR = "https://stately.ai";

export interface Relay {
  /** `ws://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Relays on loopback; 0 takes a free port. Throws `HTTP_LISTEN_FAILED`. */
export async function startRelay(store: StoreReads, port: number): Promise<Relay> {
  const server = new WebSocketServer({
    host: ADDRESS,
    port,
    verifyClient: ({ req }: { readonly req: IncomingMessage }) => mayRead(req),
  });
  const looks = new Map<WebSocket, () => void>();
  server.on("connection", (socket) => {
    const look = sendFrom(store, socket);
    looks.set(socket, look);
    look();
    socket.on("close", () => looks.delete(socket));
    socket.on("error", () => socket.terminate());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(createListenError({ address: ADDRESS, port }, error)));
    server.once("listening", () => resolve());
  });
  const timer = setInterval(() => {
    for (const look of looks.values()) look();
  }, LOOK_EVERY_MS);
  const bound = server.address();
  return {
    url: `ws://${ADDRESS}:${typeof bound === "object" && bound !== null ? bound.port : port}`,
    close: async () => {
      clearInterval(timer);
      for (const socket of looks.keys()) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A browser names the page that asks; a name in the Host header would be of somebody who rebinds it. */
function mayRead({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return isHostAllowed(headers.host, []) && (headers.origin === undefined || headers.origin === INSPECTOR);
}

/** Sends what one client has not had yet, each time it is called. */
function sendFrom(store: StoreReads, socket: WebSocket): () => void {
  const translate = createInspection(store, machines);
  let seq = 0;
  return () => {
    for (;;) {
      if (socket.bufferedAmount > MOST_WAITING) return;
      const logged = store.logAfter(seq, PAGE);
      for (const event of translate(logged)) socket.send(JSON.stringify(event));
      const last = logged.at(-1);
      if (last === undefined) return;
      seq = last.seq;
    }
  };
}
