/**
 * Tests whose body runs twice: plain, and with every outcome delivered into a fresh isolate that was played back to where
 * the script stands. Beside what the body expects, both have to have done the same.
 */
import { expect, test } from "vitest";
import type { Received } from "./app-server.ts";
import { createWorkbench, type Ran, type ScriptRun, type Workbench } from "./workbench.ts";

export interface BothWays {
  /** Runs as the body it is called in does. */
  readonly bench: Workbench;
  /** Declares the two tests of a body. */
  readonly test: (title: string, body: () => Promise<void>) => void;
}

/** What can be seen of one run, from within and at the apps. */
interface Seen {
  readonly outcome: unknown;
  readonly log: readonly string[];
  readonly calls: readonly unknown[];
  readonly requests: readonly unknown[];
}

/** Makes both workbenches; they are closed with the one. */
export function createBothWays(): BothWays {
  const plain = createWorkbench(false);
  const playedBack = createWorkbench(true);
  let present = plain;
  let seen: Seen[] = [];
  /** Addresses and folders of the present body, by the names they are compared under. */
  let places = new Map<string, string>();

  async function see(bench: Workbench, body: () => Promise<void>): Promise<readonly Seen[]> {
    present = bench;
    seen = [];
    places = new Map();
    await body();
    return seen;
  }

  return {
    bench: {
      get sandbox() {
        return present.sandbox;
      },
      async run(request) {
        const ran = await present.run(request);
        seen.push(lookAt(request, ran, places));
        return ran;
      },
      evaluate: (code, request) => present.evaluate(code, request),
      async [Symbol.asyncDispose]() {
        await Promise.all([plain[Symbol.asyncDispose](), playedBack[Symbol.asyncDispose]()]);
      },
    },
    test(title, body) {
      let first: Promise<readonly Seen[]> | undefined;
      test(title, async () => {
        first = see(plain, body);
        await first;
      });
      test(`${title}, and the same played back at every step`, async () => {
        const expected = await (first ?? see(plain, body));
        expect(await see(playedBack, body)).toEqual(expected);
      });
    },
  };
}

function lookAt(
  { app, others = {}, mounts = [] }: ScriptRun,
  { outcome, log, calls }: Ran,
  places: Map<string, string>,
): Seen {
  const { usage: _, ...ended } = outcome;
  const apps = [app, ...Object.values(others)].filter((one) => one !== undefined);
  for (const place of [...apps.map(({ port }) => String(port)), ...mounts.map(({ localPath }) => localPath)]) {
    if (!places.has(place)) places.set(place, `place ${places.size + 1}`);
  }
  const requests = apps.map(({ received }) => received.map(describe));
  const text = JSON.stringify({ outcome: ended, log, calls, requests });
  // drawn by chance, as no seed decides
  const drawn = text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid");
  return JSON.parse([...places].reduce((told, [place, name]) => told.replaceAll(place, name), drawn));
}

function describe({ method, path, query, headers, body }: Received) {
  // of its own in each run, and so is what a form is divided by
  const boundary = /boundary=(\S+)/.exec(headers["content-type"] ?? "")?.[1];
  const plainly = (text: string) => (boundary === undefined ? text : text.replaceAll(boundary, "boundary"));
  return {
    method,
    path,
    query: query.toString(),
    headers: Object.entries(headers).map(([name, value]) => `${name}: ${plainly(String(value))}`),
    body: plainly(body.toString("latin1")),
  };
}
