/** A poll of an app, apart from the run it belongs to. */
import { getActiveResourcesInfo } from "node:process";
import { expect, test } from "vitest";
import { waitForApp } from "../../sandbox/run/wait-for-app.ts";

const countTimers = () => getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("leaves no timer behind where its run ends while its request waits in line", () => {
  const run = new AbortController();
  const before = countTimers();
  const wait = {
    url: "http://127.0.0.1:1/",
    method: "GET",
    headers: [],
    attempts: 1_000,
    timeoutMs: 1e9,
    initialDelayMs: 0,
    maxDelayMs: 0,
  } as const;
  void waitForApp(wait, () => new Promise(() => {}), run.signal);
  expect(countTimers()).toBe(before + 1);
  run.abort();
  expect(countTimers()).toBe(before);
});
