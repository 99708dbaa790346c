/** The largest admitted script of each kind, through the methods and routes that read it: none holds the engine's thread. */
import { describe, expect } from "vitest";
import { MOST_DECLARED } from "../../../src/core/script/script-limits.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../../support/engine/engine-test.ts";
import { watchHeld } from "../../support/held-thread.ts";
import { rawHook } from "../../support/scripts/scripts.ts";
import { SLOWNESS } from "../../support/slowness.ts";

/** Ms of CPU between two turns of the event loop. */
const MOST_HELD_MS = 200 * SLOWNESS;
const TOKEN = "x".repeat(16);

const items = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const question = (index: number, changes: Record<string, unknown> = {}) => ({
  question: "?",
  type: "text",
  key: `k${index}`,
  ...changes,
});
const consent = { label: "Yes", description: "d".repeat(4_000), default: true };
const long = { description: "d".repeat(1_500), default: "x" };

const KINDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  questions: {
    big: {
      installation_questions: items(MOST_DECLARED.questions, (index) => question(index, long)),
      app_values: { list: items(MOST_DECLARED.questions, (index) => `$QUESTION(k${index})/`) },
    },
  },
  macros: {
    big: {
      installation_questions: [question(0, { default: "x".repeat(90) })],
      app_values: { list: items(10_000, () => "$QUESTION(k0)") },
    },
  },
  secrets: {
    big: { app_values: { list: items(MOST_DECLARED.secrets, () => "$RANDOM_STRING(1024)") } },
  },
  consents: {
    big: {
      hooks: items(MOST_DECLARED.hooks, (index) =>
        rawHook({
          id: `h${index}`,
          events: ["onAfterInstall"],
          rerun: undefined,
          ...(index < MOST_DECLARED.consents && { userOptional: consent }),
          requiresHooks: items(Math.min(index, 8), (nth) => `h${index - nth - 1}`),
        }),
      ),
    },
  },
};

/** The least of three runs: what loads a module or compiles once is not the script's. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const held: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const watched = watchHeld();
    watched.start();
    await work();
    held.push(watched.stop());
  }
  return Math.min(...held);
}

describe("the largest admitted script holds the engine's thread in no method and route that reads it before an install", () => {
  for (const [kind, catalog] of Object.entries(KINDS)) {
    it(`of ${kind}`, async () => {
      const { engine } = await openWorld({ catalog });
      const detail = await engine.app("big");
      expect(detail?.problems.filter(({ severity }) => severity === "error")).toEqual([]);
      const server = closeAfterTest(
        await startHttpServer(engine, {
          address: "127.0.0.1",
          port: 0,
          token: TOKEN,
          lockNonce: "a-nonce",
          logger: SILENT_LOGGER,
        }),
      );
      const ask = async (path: string, body?: object) => {
        const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
        const asked = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
        const response = await fetch(`${server.url}/api/${path}`, asked);
        await response.text();
        expect([path, response.status]).toEqual([path, 200]);
      };
      const methods: Readonly<Record<string, () => Promise<unknown>>> = {
        apps: () => engine.apps(),
        app: () => engine.app("big"),
        form: () => engine.form("big"),
        "custom form": () => engine.form("big", "custom"),
        preview: () => engine.preview("big"),
        pairings: () => engine.pairings("big"),
        widgets: () => engine.widgets("big"),
        dashboard: () => engine.dashboard(),
        "GET /apps": () => ask("apps"),
        "GET /apps/big": () => ask("apps/big"),
        "GET /apps/big/form": () => ask("apps/big/form"),
        "POST /apps/big/form": () => ask("apps/big/form", {}),
        "POST /apps/big/preview": () => ask("apps/big/preview", {}),
        "GET /apps/big/pairings": () => ask("apps/big/pairings"),
        "GET /apps/big/widgets": () => ask("apps/big/widgets"),
      };
      const held: Record<string, number> = {};
      for (const [name, work] of Object.entries(methods)) held[name] = Math.round(await measure(work));
      expect(Object.entries(held).filter(([, ms]) => ms >= MOST_HELD_MS)).toEqual([]);
    });
  }
});
