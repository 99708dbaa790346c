import { describe, expect, it } from "vitest";
import { chooseLocale } from "../../src/web/ui/format/format.ts";
import { useDateFormat } from "../../src/web/ui/format/formatters.ts";

describe("the locale dates are written in", () => {
  it.each([
    ["the first of the language", "en", ["de-AT", "en-GB", "en-US"], "en-GB"],
    ["the language where the browser has none of it", "de", ["en-GB"], "de"],
    ["no tag that is none, as browsers without a locale say", "en", ["en-US@posix", "en-IE"], "en-IE"],
    ["the language where no tag is one", "en", ["en-US@posix", "en_US", ""], "en"],
  ])("is %s", (_name, language, tags, locale) => {
    expect(chooseLocale(language, tags)).toBe(locale);
  });
});

it("is written by formatters that are made once for a locale and its options", () => {
  const make = () => useDateFormat("en-GB", { dateStyle: "medium" });
  expect(make()).toBe(make());
  expect(make().format(0)).not.toBe(useDateFormat("de", { dateStyle: "medium" }).format(0));
  expect(useDateFormat("en-GB", { timeStyle: "short" })).not.toBe(make());
});
