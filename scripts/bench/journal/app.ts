import { once } from "node:events";
import { createServer } from "node:http";

/** The answer, 200 B. */
export const ANSWER = Buffer.alloc(200, "a");

interface Moment {
  readonly us: number;
  readonly cpuUs: number;
}

export interface BenchApp {
  readonly port: number;
  /** Called before the answers to all requests that have come at once; null: each is answered as it comes. */
  beforeAnswers: (() => void) | null;
  /** Us between the marks (`/begin`, `/end`) of the last run, and what this process computed meanwhile. */
  between(): Moment;
  close(): void;
}

/**
 * An app on loopback that answers everything with 200 B, `/bytes/N/...` with N bytes of its path, `/head/N/...` with a header
 * of N characters; it notes when a script passed its marks.
 */
export async function serveApp(): Promise<BenchApp> {
  const marks = new Map<string | undefined, Moment>();
  let waiting: (() => void)[] = [];
  const answerAll = (): void => {
    app.beforeAnswers?.();
    for (const answer of waiting) answer();
    waiting = [];
  };
  const server = createServer((request, response) => {
    if (request.url === "/begin" || request.url === "/end") marks.set(request.url, readClocks());
    const [, kind, size] = (request.url ?? "").split("/");
    if (kind === "head") response.setHeader("x-head", "h".repeat(Number(size)));
    const answer = kind === "bytes" ? Buffer.alloc(Number(size), request.url) : ANSWER;
    request.resume().on("end", () => {
      if (app.beforeAnswers === null) response.end(answer);
      else if (waiting.push(() => response.end(answer)) === 1) setImmediate(answerAll);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const app: BenchApp = {
    port: address.port,
    beforeAnswers: null,
    between: () => {
      const [begin, end] = [marks.get("/begin"), marks.get("/end")];
      if (begin === undefined || end === undefined) throw new Error("no script has passed its marks");
      return { us: end.us - begin.us, cpuUs: end.cpuUs - begin.cpuUs };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return app;
}

function readClocks(): Moment {
  const { user, system } = process.cpuUsage();
  return { us: performance.now() * 1_000, cpuUs: user + system };
}
