/** The letter, row 5: an OAuth flow may send any header a page's `fetch` may set. */
import { describe, expect, it } from "vitest";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { PIN_FLOW, rawHook, rawScript } from "../support/scripts/scripts.ts";

function problemsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const input = { type: "oauth", id: "acc", name: "Sign in", description: "d", provider: "shop" };
  const hook = rawHook({ inputs: [{ ...input, flow: { ...PIN_FLOW, headers } }] });
  const { dictionary, problems } = parseDictionary({
    appId: "app",
    text: JSON.stringify(rawScript({ hooks: [hook] })),
  });
  expect(dictionary?.hooks).toHaveLength(problems.some(({ severity }) => severity === "error") ? 0 : 1);
  return problems.map(({ code, path }) => `${code} ${path.slice(5).join(".")}`);
}

describe("OAuth headers", () => {
  it.each([
    { "X-Shop-Api-Version": "2026-01-01", Accept: "application/json" },
    { Authorization: "Basic eDp5" },
    { "x_odd.name~1": "caf\u00e9\tand more", "X-Forwarded-For": "{clientId}" },
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`X-${at}`, "v"])),
  ])("are valid: %j", (headers) => {
    expect(problemsOf(headers)).toEqual([]);
  });

  it.each([
    "Host",
    "cookie",
    "Content-Length",
    "CONNECTION",
    "Proxy-Authorization",
    "Sec-Fetch-Mode",
    "Origin",
    "a b",
    "",
  ])("never have the name %j", (name) => {
    expect(problemsOf({ [name]: "x" })).toEqual([`HOOK_OAUTH_HEADER headers.${name}`]);
  });

  it.each(["a\r\nCookie: b", "\u0000", "\u20ac"])("never have the value %j", (value) => {
    expect(problemsOf({ "X-A": value })).toEqual(["HOOK_OAUTH_HEADER headers.X-A"]);
  });

  it.each([
    ["21", Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`X-${at}`, "v"]))],
    ["more than 4,096 characters", { "X-A": "v".repeat(4_094) }],
  ])("are never %s", (_, headers) => {
    expect(problemsOf(headers)).toEqual(["HOOK_OAUTH_HEADER headers"]);
  });
});
