import fc from "fast-check";
import { describe, expect } from "vitest";
import { createGuard } from "../../../src/http/guard.ts";
import { fuzz } from "../../support/fuzz.ts";

const TOKEN = "a-token-of-some-length";

const text = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.constantFrom("Bearer", "bearer", " ", "\t", TOKEN, TOKEN.slice(1), "127.0.0.1", "::1", "[", "]", ":", "@"),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join("")),
);
const header = fc.option(text, { nil: undefined });
const request = fc.record({
  method: fc.constantFrom("GET", "HEAD", "POST", "DELETE", "OPTIONS"),
  path: text,
  host: fc.oneof(header, fc.constantFrom("127.0.0.1:8765", "localhost")),
  origin: header,
  fetchSite: header,
  authorization: header,
  scheme: fc.constantFrom("http", "https", undefined),
  session: fc.constant(null),
  client: fc.record({ address: text, proxy: text }, { requiredKeys: ["address"] }),
});

describe("the guard of the HTTP interface", () => {
  fuzz("lets nobody in who does not send the token itself", 2_000, () =>
    fc.property(fc.array(request, { maxLength: 5 }), (requests) => {
      const guard = createGuard({
        token: TOKEN,
        allowedHosts: [],
        rate: { burst: 3, perSecond: 1 },
        now: () => 0,
      });
      for (const asked of requests) {
        if (guard(asked) === null) expect(asked.authorization?.toLowerCase()).toBe(`bearer ${TOKEN}`);
      }
    }),
  );
});
