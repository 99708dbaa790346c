import { expect, it } from "vitest";
import { isWebAddress } from "../../../src/web/ui/web-address.ts";

it.each([
  ["https://example.org/terms", true],
  ["http://192.168.1.2:8080", true],
  ["javascript:alert(1)", false],
  [" JaVaScript:alert(1)", false],
  ["java\nscript:alert(1)", false],
  ["data:text/html,x", false],
  ["https://user:password@example.org", false],
  ["/relative", false],
])("%j may be an address: %s", (text, isOne) => {
  expect(isWebAddress(text)).toBe(isOne);
});
