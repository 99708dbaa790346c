/**
 * Checks the files of one catalog in a thread of its own (`catalog-check.ts` starts it): whatever a file holds, the
 * engine's thread goes on. One file at a time, in the order asked.
 */
import { serialize } from "node:v8";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { readCatalogIndex } from "./catalog-index.ts";
import { parseScriptFile } from "./catalog-script.ts";
import { createScriptCheck, type ScriptCheck } from "./script-check.ts";

/** What is asked of the thread. */
export type CheckRequest =
  | { readonly kind: "script"; readonly appId: string; readonly text: string }
  | { readonly kind: "index"; readonly text: string };

/** Checks one file; the answer's bytes are what `v8.serialize` makes of the result. */
async function answer(check: ScriptCheck, request: CheckRequest): Promise<unknown> {
  if (request.kind === "index") return readCatalogIndex(request.text);
  const { dictionary, declared, problems, readsFiles } = await parseScriptFile(request, check);
  return { dictionary, declared, problems, readsFiles };
}

function serve(port: NonNullable<typeof parentPort>, root: string): void {
  const check = createScriptCheck(root);
  let last = Promise.resolve();
  port.on("message", (request: CheckRequest) => {
    last = last.then(async () => {
      // What can't be checked ends the thread, and with it this file only.
      const bytes = new Uint8Array(serialize(await answer(check, request)));
      port.postMessage(bytes, [bytes.buffer]);
    });
  });
  port.postMessage("ready");
}

if (!isMainThread && parentPort !== null) serve(parentPort, String(workerData));
