/**
 * Checks files of one catalog in a process of its own (`check-process.ts` starts it, with the catalog's root): whatever a
 * file holds, the engine goes on. One file at a time, in the order asked; it ends when the pipe to the engine does.
 */

import { Socket } from "node:net";
import { encodeFrame, type Frame, FrameReader } from "../../../../sandbox/protocol/frames.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import type { TextFacts } from "../../../core/rules/rows/source-rules.ts";
import { checkFile } from "./check-file.ts";
import { CHECK_FRAME_LIMITS, type CheckMessage, type CheckOrder } from "./check-messages.ts";
import { createScriptCheck } from "./script-check.ts";

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const reader = new FrameReader(CHECK_FRAME_LIMITS);
/** One text at a time: a file's are read one after the other. */
let hear: (facts: TextFacts) => void = () => {};
const check = createScriptCheck(String(process.argv[2]), (source) => {
  const { promise, resolve } = Promise.withResolvers<TextFacts>();
  hear = resolve;
  say({ t: "source" }, source);
  return promise;
});

pipe.on("data", (chunk: Buffer) => {
  for (const frame of reader.push(chunk)) take(frame);
});
pipe.on("close", () => process.exit(0));
say({ t: "ready" });

let last = Promise.resolve();

function take({ header, body }: Frame): void {
  const order: CheckOrder = JSON.parse(header);
  if (order.t === "facts") {
    hear(order.facts);
    return;
  }
  const request = { ...order.request, text: body.toString("utf8") };
  last = last.then(async () => {
    try {
      say({ t: "answer" }, await checkFile(request, check, async (work) => work()));
    } catch (error) {
      say({ t: "failed", message: readMessage(error) });
    }
  });
}

function say(message: CheckMessage, text = ""): void {
  for (const part of encodeFrame(JSON.stringify(message), Buffer.from(text))) pipe.write(part);
}
