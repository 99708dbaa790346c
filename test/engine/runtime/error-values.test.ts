/** Failures and refusals as the values they are made of. */
import { describe, expect, it } from "vitest";
import { createCrashLoopFailure, createEffectUnknownFailure } from "../../../src/core/task/task-failures.ts";
import { openPin } from "../../../src/engine/effects/hook/pin-flow.ts";
import { checkInput } from "../../../src/engine/methods/request/request.ts";
import { NO_PROVIDERS } from "../../../src/engine/system/no-providers.ts";
import { NO_SANDBOX } from "../../../src/engine/system/no-sandbox.ts";

const FLOW = {
  type: "pin",
  pinUrl: "http://provider.example/pins",
  authUrl: "https://provider.example/{clientId}/{code}",
  pollUrl: "https://provider.example/pins/{pinId}",
  clientId: "slipway",
  tokenField: "token",
  headers: {},
} as const;

describe("an OAuth input", () => {
  it("that is answered with a number is TASK_INPUT_INVALID", () => {
    const input = { type: "oauth", id: "login", name: "Sign in", provider: "example", flow: FLOW } as const;
    expect(checkInput([input], "login", 5)).toMatchObject({ code: "TASK_INPUT_INVALID" });
    expect(checkInput([input], "login", "token")).toHaveProperty("entry");
  });

  it("whose provider answers no code is TASK_OAUTH_FAILED", async () => {
    const providers = { ask: async () => ({ status: 200, text: "{}" }) };
    const opening = openPin(providers, FLOW, 0, 1_000, new AbortController().signal);
    await expect(opening).rejects.toMatchObject({ code: "TASK_OAUTH_FAILED" });
  });

  it("in an engine without a way to providers is TASK_OAUTH_REFUSED", async () => {
    const opening = openPin(NO_PROVIDERS, FLOW, 0, 1_000, new AbortController().signal);
    await expect(opening).rejects.toMatchObject({ code: "TASK_OAUTH_REFUSED" });
  });
});

it("an engine without a sandbox refuses a script with SANDBOX_UNAVAILABLE", async () => {
  const source = { kind: "inline", content: "export async function run() {}" } as const;
  const compiled = await NO_SANDBOX.compile({ app: "app", root: null, source, entrypoint: "run", label: "a script" });
  expect(compiled).toMatchObject({ ok: false, problems: [{ code: "SANDBOX_UNAVAILABLE", severity: "error" }] });
});

it("a task that crashed the engine again and again, and one whose effect nobody knows, may be tried again", () => {
  expect(createCrashLoopFailure(5)).toMatchObject({ code: "TASK_CRASH_LOOP", retryable: true });
  expect(createEffectUnknownFailure("app.create")).toMatchObject({ code: "TASK_EFFECT_UNKNOWN", retryable: true });
});
