/** Tables of rules: a script with changes, and what is found in it; and the parts of scripts that such rows change. */
import { expect, it } from "vitest";
import { diagnosticsOf } from "./diagnostics.ts";
import { rawHook } from "./scripts.ts";

/** A rule, the changes to a sound script, and the diagnostics: `error HOOK_RERUN_MISSING "connect"`. */
export type RuleRow = readonly [rule: string, changes: Record<string, unknown>, diagnostics: readonly string[]];

/** A test a row: the diagnostics, with the token each points at, in the order of the text. */
export function testRules(rows: readonly RuleRow[]): void {
  for (const [rule, changes, diagnostics] of rows) {
    it(rule, () => expect(diagnosticsOf(changes)).toEqual(diagnostics));
  }
}

/** A script of one hook that a person can press. */
export const hook = (changes: Record<string, unknown>) => ({ hooks: [rawHook({ id: "h", ...changes })] });

/** A script of one hook that fires after the install. */
export const lifecycle = (changes: Record<string, unknown>) =>
  hook({ events: ["onAfterInstall"], rerun: undefined, ...changes });

/** A version 5 script of one hook. */
export const hook5 = (changes: Record<string, unknown>) => ({
  version: 5,
  hooks: [{ id: "h", event: "onAfterInstall", scriptContent: "", entrypoint: "run", ...changes }],
});

/** Raw JSON of a widget that renders nothing. */
export const rawWidget = (changes: Record<string, unknown>) => ({
  id: "tile",
  title: "Tile",
  scriptContent: "",
  entrypoint: "run",
  ...changes,
});

/** A script of one widget. */
export const widget = (changes: Record<string, unknown>) => ({ widgetsSchema: 2, widgets: [rawWidget(changes)] });

/** A script of one installation question. */
export const question = (changes: Record<string, unknown>) => ({
  installation_questions: [{ question: "Name?", type: "text", key: "name", ...changes }],
});

/** An OAuth input with these changes to its flow. */
export function oauth(flow: Record<string, unknown>): Record<string, unknown> {
  const rest = {
    type: "pin",
    pinUrl: "https://example.com/pins",
    authUrl: "https://example.com/auth?id={clientId}&code={code}",
    pollUrl: "https://example.com/pins/{pinId}",
    clientId: "slipway",
    tokenField: "token",
  };
  return { type: "oauth", id: "login", name: "Sign in", provider: "example", flow: { ...rest, ...flow } };
}
