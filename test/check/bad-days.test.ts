/** Level 5: hooks while what they talk to fails. */
import { expect, it } from "vitest";
import { isRawError } from "../../src/check/bad-days/raw-error.ts";
import { BAD_DAYS } from "../../src/check/levels/bad-days.ts";
import { rawApp, rawInstallHook } from "../support/check/apps.ts";
import { playLevel } from "../support/check/play.ts";
import { rawHook } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const ROWS = [
  { method: "GET", path: "/health", body: {} },
  { method: "POST", path: "/api/*", status: 201 },
];

async function findFaults(hooks: readonly object[], rows: readonly object[] = []): Promise<readonly string[]> {
  folder.write("app.json", rawApp({ hooks }));
  folder.write("standin/app.json", [...rows, ...ROWS]);
  const { findings } = await playLevel(BAD_DAYS, folder.path, "app");
  return findings.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`);
}

const SOUND = `export async function run(ctx) {
  await ctx.waitForApp("/health", { initialDelayMs: 10 });
  for (;;) {
    const answer = await fetch(ctx.baseUrl + "/api/one", { method: "POST" }).catch(() => null);
    if (answer?.ok) break;
    if (answer === null) ctx.fail("The app does not answer");
    if ((await ctx.awaitCheckpointRetry("one", "The app refused it")) === "skip") return;
  }
  await ctx.emitCheckpoint("one");
}`;

it("tells hooks apart that wait and end in own words from raw errors, ignored refusals, and retries in vain", async () => {
  const post = (path: string) => `await fetch(ctx.baseUrl + "${path}", { method: "POST" })`;
  const own = `.catch(() => ctx.fail("No answer"))`;
  const raw = `export async function run(ctx) { if (!(${post("/api/raw")}).ok) ctx.fail("Refused"); }`;
  const blind = `export async function run(ctx) { ${post("/api/blind")}${own}; }`;
  const once = `export async function run(ctx) {
    const { status } = await fetch(ctx.baseUrl + "/health").catch(() => ctx.fail("No answer"));
    if (status !== 200) ctx.fail("Not well");
    await ctx.emitCheckpoint("told");
    if (!(${post("/api/first")}${own}).ok) ctx.fail("Refused");
    if (ctx.event !== "onAfterInstall") ctx.fail("Only an install can do this");
  }`;
  const faults = await findFaults([
    rawInstallHook(SOUND, { id: "sound" }),
    rawHook({ id: "sound-action", scriptContent: SOUND }),
    rawInstallHook(raw, { id: "raw" }),
    rawInstallHook(blind, { id: "blind", optional: true }),
    rawInstallHook(once, { id: "once", events: ["onAfterInstall", "userAction"], rerun: "converge" }),
  ]);
  expect(faults.toSorted()).toEqual([
    expect.stringMatching(
      /^CHECK_RAW_ERROR hooks.2: hook "raw" shows a raw error where the app answers nothing at POST \/api\/raw: /,
    ),
    'CHECK_REFUSAL_IGNORED hooks.3: hook "blind" completes although the app answers 500 at POST /api/blind, which it does not ask again',
    expect.stringMatching(/^CHECK_SKIP_FAILED hooks.4: hook "once", skipped before, .*Only an install can do this$/),
  ]);
});

it("does not hold where a hook goes on asking after Skip", async () => {
  const asks = `export async function run(ctx) {
    for (;;) {
      const answer = await fetch(ctx.baseUrl + "/api/asks", { method: "POST" }).catch(() => null);
      if (answer?.ok && answer.headers.get("never") !== null) return;
      await ctx.awaitCheckpointRetry("asks", "The app refused it");
    }
  }`;
  const faults = await findFaults([rawInstallHook(asks)]);
  expect(faults).toContainEqual(
    expect.stringMatching(
      /^CHECK_SKIP_FAILED hooks.0: hook "connect" stops again after Skip although nothing was refused/,
    ),
  );
  expect(faults).toContainEqual(
    expect.stringMatching(/^CHECK_INSTALL_LEFT : the install whose hooks were skipped ends RUNNING/),
  );
});

it("does not hold where what a first attempt did is in the way of Retry", async () => {
  const post = (path: string) =>
    `(await fetch(ctx.baseUrl + "${path}", { method: "POST" }).catch(() => ctx.fail("No answer"))).ok`;
  const begins = `export async function run(ctx) {
    if (!${post("/begin")}) ctx.fail("Begun already");
    if (!${post("/api/end")}) ctx.fail("Refused");
  }`;
  const once = { method: "POST", path: "/begin", times: 1 };
  const faults = await findFaults([rawInstallHook(begins)], [once, { method: "POST", path: "/begin", status: 409 }]);
  expect(faults).toEqual([
    expect.stringMatching(
      /^CHECK_RETRY_FAILED hooks.0: hook "connect" does not complete after Retry .* Begun already$/,
    ),
  ]);
});

it.each([
  ["TypeError: fetch failed: other side closed", true],
  ["SyntaxError: Unexpected token 'I' is not valid JSON", true],
  ["It did not work: fetch failed: connect ECONNREFUSED", true],
  [" ", true],
  ["The app does not answer", false],
  ["GET http://app/health did not answer as expected in 40 attempts; the last: fetch failed: other side closed", false],
])("%j is a raw error: %s", (message, isRaw) => {
  expect(isRawError({ code: "TASK_HOOK_FAILED", message })).toBe(isRaw);
  expect(isRawError({ code: "TASK_HOOK_TIMEOUT", message })).toBe(false);
});
