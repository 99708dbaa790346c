/** What a hook asks before it runs: questions and sign-ins (docs/install-scripts.md, "HookInput"). */
import { z } from "zod";
import {
  FORBIDDEN_HEADERS,
  fitProviderHeaders,
  PROVIDER_HEADER_LIMITS,
  PROVIDER_HEADER_NAME,
  PROVIDER_HEADER_VALUE,
} from "../hooks/oauth-headers.ts";
import { defineFilledText } from "./script-schema-parts.ts";
import { HookQuestion } from "./script-schema-question.ts";

/** A test's provider; the engine reaches it in development only. */
const LOOPBACK = String.raw`http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?`;

const HEADERS_FIT = `at most ${PROVIDER_HEADER_LIMITS.count} of ${PROVIDER_HEADER_LIMITS.characters} characters in all`;

const OAuthInput = z
  .strictObject({
    type: z.literal("oauth"),
    id: defineFilledText().describe("Input id"),
    name: defineFilledText().describe("Title"),
    description: z.string().exactOptional().describe("Text"),
    provider: defineFilledText().describe("Provider id"),
    flow: z
      .strictObject({
        type: z.literal("pin").describe("The only flow there is"),
        pinUrl: defineSecureAddress(/^/, LOOPBACK, "").describe("Address that issues the pin"),
        authUrl: defineSecureAddress(/^(?=.*\{clientId\})(?=.*\{code\})/, null, " with {clientId} and {code}").describe(
          "Address the user opens; contains {clientId} and {code}",
        ),
        pollUrl: defineSecureAddress(/^(?=.*\{pinId\})/, LOOPBACK, " with {pinId}").describe(
          "Address polled; contains {pinId}",
        ),
        clientId: defineFilledText().describe("Client id"),
        tokenField: defineFilledText().describe("Field of the answer that holds the token"),
        headers: z
          .record(
            z.string().regex(PROVIDER_HEADER_NAME),
            z.string().regex(PROVIDER_HEADER_VALUE, { error: "one line of Latin-1 text" }),
          )
          .refine(fitProviderHeaders, { error: HEADERS_FIT })
          .exactOptional()
          .describe(`Headers of every request, ${HEADERS_FIT}; any but ${FORBIDDEN_HEADERS}`),
      })
      .describe("The OAuth flow"),
  })
  .meta({ id: "OAuthInput", description: "A sign-in at a third party" });

/** https only, without user name and password, blanks and control characters; where `or` is given, also as that begins. */
function defineSecureAddress(placeholders: RegExp, or: string | null, and: string) {
  const secure = String.raw`https:\/\/[^\s\/?#@\\]+`;
  const origin = or === null ? secure : `(${secure}|${or})`;
  const pattern = String.raw`${placeholders.source}${origin}([\/?#][^\s\\\u0000-\u001f\u007f]*)?$`;
  return z.string().regex(new RegExp(pattern), { error: `an https:// address${and}` });
}

/** One input of a hook. */
export const HookInput = z
  .discriminatedUnion("type", [
    OAuthInput,
    z
      .strictObject({
        type: z.literal("question"),
        id: defineFilledText().describe("Input id"),
        question: HookQuestion,
      })
      .meta({ id: "QuestionInput", description: "A question to the user" }),
  ])
  .meta({ id: "HookInput", description: "Collected from the user before the hook runs" });
