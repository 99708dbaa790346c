/**
 * An app that answers one request after the other: the next one when the script has taken the last answer, and when
 * everything is here that the script has under way, so that the order of answers is the same in every run.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { plainName, type Rehearsal } from "./rehearsal.ts";

export interface Arrival {
  readonly name: string;
  readonly method: string;
  /** Address and body: the same each time it is sent. */
  readonly content: string;
  /** Its outcome was taken before. */
  readonly isLate: boolean;
}

export interface Conductor extends AsyncDisposable {
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  /** The script has taken the answer to this request. */
  took(name: string): void;
}

/** Starts the app; `rank` says which of the requests under way is answered first. */
export async function startConductor(
  rehearsal: Rehearsal,
  rank: (name: string) => number,
  event: () => void,
): Promise<Conductor> {
  const arrivals: Arrival[] = [];
  const held = new Map<string, readonly ServerResponse[]>();
  const answered = new Set<string>();
  const taken = new Set<string>();
  let isMoving = false;

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      // its process died over it
      return;
    }
    const { url = "", method = "" } = incoming;
    const name = plainName(new URL(url, "http://app").pathname.slice(1));
    const content = `${method} ${url} ${Buffer.concat(chunks)}`;
    arrivals.push({ name, method, content, isLate: taken.has(name) });
    event();
    if (answered.has(name)) respond(response, name);
    else {
      const before = held.get(name)?.filter(({ destroyed }) => !destroyed) ?? [];
      held.set(name, [...before, response]);
    }
    void move();
  });

  async function move(): Promise<void> {
    if (isMoving) return;
    isMoving = true;
    const pending = rehearsal.pending();
    const isReady = [...answered].every((name) => taken.has(name)) && pending?.every((name) => held.has(name));
    const [next] = [...(pending ?? [])].sort((a, b) => rank(a) - rank(b));
    if (isReady && next !== undefined) {
      answered.add(next);
      await rehearsal.answer(next, `${next} answers`);
      for (const response of held.get(next) ?? []) respond(response, next);
      held.delete(next);
      event();
    }
    isMoving = false;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    arrivals,
    took(name) {
      taken.add(name);
      void move();
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, name: string): void {
  response.setHeader("connection", "close");
  response.end(`${name} answers`);
}
