import { expect, it } from "vitest";
import { renderDrift } from "../../../src/cli/ui/drift-text.ts";

const NOW = "2026-01-01T00:00:00.000Z";

it("is a finding with what helps, what was left out, and why a look failed", () => {
  const lines = renderDrift({
    findings: [
      {
        code: "DRIFT_VALUE",
        appId: "demo",
        subject: "network.web_port",
        expected: "8080",
        found: "9090",
        title: "T",
        hint: "update it",
        proposal: { method: "update", appId: "demo" },
      },
      {
        code: "DRIFT_LINK_LOST",
        appId: "demo",
        subject: "hub",
        title: "T",
        hint: "connect",
        proposal: { method: "runAction", appId: "demo", hookId: "connect" },
      },
    ],
    lookedAt: NOW,
    skipped: [{ appId: "busy", code: "TASK_CONFLICT" }],
    failed: { at: NOW, code: "HOST_UNREACHABLE", hint: "check the address" },
  });
  expect(lines).toEqual([
    'demo: DRIFT_VALUE network.web_port: expected "8080", found "9090"',
    "  hint: update it",
    "  try: slipway update demo",
    "demo: DRIFT_LINK_LOST hub",
    "  hint: connect",
    "  try: slipway action demo connect",
    "busy: left out (TASK_CONFLICT)",
    `looked at ${NOW}`,
    `the look at ${NOW} failed: HOST_UNREACHABLE`,
    "  hint: check the address",
  ]);
});

it("no path or name of a host begins a line of its own or steers the terminal", () => {
  const hostile = "x\ndemo: all is well\u001b[2J\u202e";
  const finding = {
    code: "DRIFT_OWNER",
    appId: hostile,
    subject: hostile,
    found: hostile,
    title: "T",
    hint: "h",
  } as const;
  const lines = renderDrift({
    findings: [{ ...finding, proposal: { method: "update", appId: hostile } }],
    lookedAt: null,
    skipped: [{ appId: hostile, code: "HOST_INVALID" }],
  });
  expect(lines).toHaveLength(5);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  for (const line of lines) expect(line).not.toMatch(/[\n\t\u001b\u202e]/);
});

it("says when nothing was found, and when nobody has looked", () => {
  const drift = { findings: [], skipped: [] };
  expect(renderDrift({ ...drift, lookedAt: NOW })).toEqual([
    "nothing was found that this engine did not leave so",
    `looked at ${NOW}`,
  ]);
  expect(renderDrift({ ...drift, lookedAt: null })).toEqual(["no look has come to its end yet"]);
});
