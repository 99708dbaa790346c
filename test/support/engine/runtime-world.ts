import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type StoreOptions } from "../../../src/adapters/store-sqlite/open-store.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";
import type { Logger } from "../../../src/engine/ports/environment.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createRuntime } from "../../../src/engine/runtime/create-runtime.ts";
import type { EffectHandler, EffectRun, MachineEvent, RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import type { Runtime, RuntimeOptions } from "../../../src/engine/runtime/runtime.ts";
import { createTestClock, type TestClock } from "../test-clock.ts";

/** A folder of its own for one test; `remove` deletes it. */
export function createTestFolder(parent = tmpdir()): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(parent, "slipway-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** One call of a handler a test answers by hand. */
export interface HeldCall {
  readonly params: JsonObject;
  readonly run: EffectRun;
  answer(event: MachineEvent): void;
  break(error: unknown): void;
}

/** A handler whose calls wait until the test answers them, or the engine aborts them. */
export interface HeldHandler extends EffectHandler {
  readonly calls: HeldCall[];
}

export function createHeldHandler(handler: Omit<EffectHandler, "perform">): HeldHandler {
  const calls: HeldCall[] = [];
  return {
    ...handler,
    calls,
    perform(params, run) {
      const end = Promise.withResolvers<MachineEvent>();
      run.signal.addEventListener("abort", () => end.reject(run.signal.reason));
      calls.push({ params, run, answer: end.resolve, break: end.reject });
      return end.promise;
    },
  };
}

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface World {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly clock: TestClock;
  readonly log: readonly LogLine[];
  /** Stops as a clean shutdown does. */
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly folder: string;
  readonly registry: readonly RegisteredMachine[];
  readonly handlers: Readonly<Record<string, EffectHandler>>;
  readonly clock?: TestClock;
  readonly mask?: RuntimeOptions["mask"];
  readonly store?: Partial<StoreOptions>;
  /** Replaces the store a test does not want to be real. */
  readonly wrap?: (store: Store) => Store;
}

/** A runtime over a real database, with a clock the test moves. */
export function createWorld(options: WorldOptions): World {
  const clock = options.clock ?? createTestClock();
  const log: LogLine[] = [];
  const opened = openStore({ file: join(options.folder, "slipway.db"), ...options.store });
  const store = options.wrap?.(opened) ?? opened;
  let ids = 0;
  const runtime = createRuntime({
    store,
    registry: Object.fromEntries(options.registry.map((machine) => [machine.id, machine])),
    handlers: options.handlers,
    clock,
    randomness: {
      id() {
        ids += 1;
        return `t${store.opened.epoch}x${ids}`;
      },
      alphanumeric: (length) => "x".repeat(length),
    },
    logger: createRecordingLogger(log),
    ...(options.mask && { mask: options.mask }),
  });
  return {
    store,
    runtime,
    clock,
    log,
    async close() {
      await runtime.close();
      store.close();
    },
  };
}

function createRecordingLogger(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: LogLine["fields"], message: string) => {
    lines.push({ level, fields, message });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
