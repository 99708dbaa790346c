/**
 * Checks the files of one catalog in a thread of its own (`catalog-check.ts` starts it): whatever a file holds, the
 * engine's thread goes on. One file at a time, in the order asked.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { readCatalogIndex } from "./catalog-index.ts";
import { type CheckedScript, parseScriptFile } from "./catalog-script.ts";
import { createScriptCheck, type ScriptCheck } from "./script-check.ts";

/** What is asked of the thread. */
export type CheckRequest =
  | { readonly kind: "script"; readonly appId: string; readonly text: string }
  | { readonly kind: "index"; readonly text: string };

/** A checked script as JSON text: the dictionary and the declaration differ in their hooks and widgets only. */
export interface ScriptAnswer extends Pick<CheckedScript, "declared" | "problems" | "readsFiles"> {
  /** Those of the dictionary; null where there is none, absent where it is the declaration. */
  readonly usable?: Pick<NonNullable<CheckedScript["dictionary"]>, "hooks" | "widgets"> | null;
}

/** Checks one file. JSON text, because the engine's thread reads it several times faster than a cloned value. */
async function answer(check: ScriptCheck, request: CheckRequest): Promise<string> {
  if (request.kind === "index") return JSON.stringify(readCatalogIndex(request.text));
  const { dictionary, declared, problems, readsFiles } = await parseScriptFile(request, check);
  const common = { declared, problems, readsFiles };
  if (dictionary === declared) return JSON.stringify(common satisfies ScriptAnswer);
  const usable = dictionary === null ? null : { hooks: dictionary.hooks, widgets: dictionary.widgets };
  return JSON.stringify({ ...common, usable } satisfies ScriptAnswer);
}

function serve(port: NonNullable<typeof parentPort>, root: string): void {
  const check = createScriptCheck(root);
  let last = Promise.resolve();
  port.on("message", (request: CheckRequest) => {
    // What can't be checked ends the thread, and with it this file only.
    last = last.then(async () => port.postMessage({ answer: await answer(check, request) }));
  });
  port.postMessage("ready");
}

if (!isMainThread && parentPort !== null) serve(parentPort, String(workerData));
