import { expect, it } from "vitest";
import { makeTask } from "../../../src/contract/store-rows.ts";
import type { HostApp } from "../../../src/engine/ports/host-records.ts";
import { watchHost } from "../../../src/engine/standing/watch-host.ts";
import { createHostAnswers, HOST_ANSWER_MS } from "../../../src/engine/surfaces/host-answers.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { createScriptedHost } from "../../support/host/scripted-host.ts";
import { createTestClock } from "../../support/test-clock.ts";

/** Answers of a host that says how often it was asked, once `answer` lets it. */
function startAnswers() {
  const clock = createTestClock();
  const waiting: (() => void)[] = [];
  let asked = 0;
  const apps = () => {
    const { promise, resolve } = Promise.withResolvers<readonly HostApp[]>();
    const name = `asked ${++asked}`;
    const app = { name, appId: "app", custom: false, state: "RUNNING", version: "1", scheme: "http" } as const;
    waiting.push(() => resolve([{ ...app, upgradeAvailable: false, publishedPorts: [], mounts: [] }]));
    return promise;
  };
  const watch = watchHost({ ...createScriptedHost(), apps }, clock, SILENT_LOGGER);
  const answers = createHostAnswers(watch.host, { clock, watch });
  const read = async () => (await answers.apps(HOST_ANSWER_MS)).value[0]?.name;
  const answer = () => {
    for (const one of waiting.splice(0)) one();
  };
  const note = (state: "COMPLETED" | "RUNNING") => {
    clock.advance(1);
    const { facts, ...row } = makeTask("t", 1);
    answers.note({ tasks: [{ expectedRev: 0, row: { ...row, facts: { ...facts, state } } }] });
    clock.advance(1);
  };
  return { read, answer, note };
}

it("keeps an answer for a while, but none that was said or asked for before a task ended", async () => {
  const { read, answer, note } = startAnswers();
  const first = read();
  answer();
  expect(await first).toBe("asked 1");
  note("RUNNING");
  expect(await read()).toBe("asked 1");

  note("COMPLETED");
  const second = read();
  note("COMPLETED");
  const third = read();
  const shared = read();
  answer();
  expect(await Promise.all([second, third, shared])).toEqual(["asked 2", "asked 3", "asked 3"]);
  expect(await read()).toBe("asked 3");
});
