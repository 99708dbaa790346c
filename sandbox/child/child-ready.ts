/** Starts a child and waits until its isolate and guest are ready. */

import type { ReadyMessage } from "../process/health.ts";
import type { Isolation } from "../process/isolation.ts";
import { parseChildMessage } from "../run/parse.ts";
import { SandboxChild } from "./child-process.ts";
import type { ChildFiles } from "./child-program.ts";

/** Most ms from spawn to ready; a cold start takes 65. */
const READY_MS = 10_000;

/** A child that has said it is ready, and what it said; rejects, with the child killed, when it does not. */
export async function startChild(
  files: ChildFiles,
  isolation: Isolation,
): Promise<{ readonly child: SandboxChild; readonly ready: ReadyMessage }> {
  const child = new SandboxChild(files, isolation);
  const { promise, resolve, reject } = Promise.withResolvers<ReadyMessage>();
  const fail = (message: string): void => {
    const stderr = child.stderr.trim();
    reject(new Error(stderr === "" ? message : `${message}: ${stderr}`));
  };
  const timer = setTimeout(() => fail(`the sandbox was not ready within ${READY_MS} ms`), READY_MS);
  child.listen({
    frame: ({ header }) => {
      const message = parseChildMessage(header);
      if (message?.t === "ready") resolve(message);
      else fail("the sandbox's first message is not that it is ready");
    },
    broken: (error) => fail(error.message),
    exit: ({ code, signal, error }) => fail(error ?? `the sandbox ended by ${signal ?? `exit code ${code}`}`),
  });
  try {
    return { child, ready: await promise };
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    clearTimeout(timer);
    child.listen(null);
  }
}
