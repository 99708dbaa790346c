/**
 * Checks the files of one catalog in a thread of its own (`catalog-check.ts` starts it): whatever a file holds, the
 * engine's thread goes on. One file at a time, in the order asked.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { withoutByteOrderMark } from "../../core/json/json-source.ts";
import type { TextFacts } from "../../core/rules/rows/source-rules.ts";
import { readCatalogIndex } from "./catalog-index.ts";
import { type CheckedScript, parseScriptFile } from "./catalog-script.ts";
import { createScriptCheck, type ScriptCheck } from "./script-check.ts";

/** What the thread hears: files to check, the facts it has asked for, and that nothing more will come. */
export type ThreadOrder =
  | CheckRequest
  | { readonly kind: "facts"; readonly facts: TextFacts }
  | { readonly kind: "end" };

/** What the thread says: that it is ready, what a file's check gave, and TypeScript it needs the facts of. */
export type ThreadMessage = "ready" | { readonly answer: string } | { readonly source: string };

export type CheckRequest =
  | { readonly kind: "script"; readonly appId: string; readonly text: string }
  | { readonly kind: "index"; readonly text: string }
  | { readonly kind: "whole"; readonly text: string };

/** A checked script as JSON text: the dictionary and the declaration differ in their hooks and widgets only. */
export interface ScriptAnswer extends Pick<CheckedScript, "declared" | "problems" | "readsFiles"> {
  /** Those of the dictionary; null where there is none, absent where it is the declaration. */
  readonly usable?: Pick<NonNullable<CheckedScript["dictionary"]>, "hooks" | "widgets"> | null;
}

/** Checks one file. JSON text, because the engine's thread reads it several times faster than a cloned value. */
async function answer(check: ScriptCheck, request: CheckRequest): Promise<string> {
  if (request.kind === "whole") return JSON.stringify(isWhole(request.text));
  if (request.kind === "index") return JSON.stringify(readCatalogIndex(request.text));
  const { dictionary, declared, problems, readsFiles } = await parseScriptFile(request, check);
  const common = { declared, problems, readsFiles };
  if (dictionary === declared) return JSON.stringify(common satisfies ScriptAnswer);
  const usable = dictionary === null ? null : { hooks: dictionary.hooks, widgets: dictionary.widgets };
  return JSON.stringify({ ...common, usable } satisfies ScriptAnswer);
}

/** Whether a text is JSON to its end, and not a file half written. */
function isWhole(text: string): boolean {
  try {
    JSON.parse(withoutByteOrderMark(text));
    return true;
  } catch {
    return false;
  }
}

function serve(port: NonNullable<typeof parentPort>, root: string): void {
  const say = (message: ThreadMessage): void => port.postMessage(message);
  /** One text at a time: a file's are read one after the other. */
  let hear: (facts: TextFacts) => void = () => {};
  const check = createScriptCheck(root, (source) => {
    const { promise, resolve } = Promise.withResolvers<TextFacts>();
    hear = resolve;
    say({ source });
    return promise;
  });
  let last = Promise.resolve();
  port.on("message", (order: ThreadOrder) => {
    if (order.kind === "facts") return hear(order.facts);
    if (order.kind === "end") return port.close();
    // What can't be checked ends the thread, and with it this file only.
    last = last.then(async () => say({ answer: await answer(check, order) }));
  });
  say("ready");
}

if (!isMainThread && parentPort !== null) serve(parentPort, String(workerData));
