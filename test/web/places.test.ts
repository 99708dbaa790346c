import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PAGE_AREAS } from "../../src/http/page.ts";
import { type Place, readPlace, writePlace } from "../../src/web/ui/places.ts";

const name = fc.string({ minLength: 1 });
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constantFrom<Place>(
    { screen: "home" },
    { screen: "apps" },
    { screen: "health" },
    { screen: "notifications" },
    { screen: "activity" },
    { screen: "upgrades" },
    { screen: "audit" },
  ),
  name.map((app) => ({ screen: "app", app }) as const),
  fc
    .tuple(name, fc.constantFrom("install", "custom", "options", "upgrade", "rollback", "uninstall", "adopt"))
    .map(([app, dialog]) => ({ screen: "app", app, dialog }) as const),
  name.map((task) => ({ screen: "activity", task }) as const),
  fc.tuple(name, name).map(([task, asking]) => ({ screen: "activity", task, asking }) as const),
  fc
    .array(fc.string({ minLength: 1 }).filter((part) => !part.includes("/")))
    .map((parts) => ({ screen: "files", path: parts.join("/") }) as const),
);

describe("the page's addresses", () => {
  it("are read as they were written, and are known to the server", () => {
    fc.assert(
      fc.property(place, (at) => {
        const path = writePlace(at);
        expect(readPlace(path)).toEqual(at);
        expect(PAGE_AREAS).toContain(path.split("/", 1)[0]);
      }),
    );
  });

  it.each([
    "nowhere",
    "apps/x/y",
    "apps/x/install/z",
    "activity/t/answer",
    "activity/t/x/y",
    "health/x",
    "apps/%E0%A4%A",
  ])("are no others: %s", (path) => {
    expect(readPlace(path)).toEqual({ screen: "unknown" });
  });
});
