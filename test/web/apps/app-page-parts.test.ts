import { describe, expect, it } from "vitest";
import { sortProblems } from "../../../src/web/elements/app-page/page-problems.ts";
import { listRequirements } from "../../../src/web/elements/app-page/page-requirements.ts";
import { describeLink, sortPairings } from "../../../src/web/elements/app-page/pairing-rows.ts";
import { en } from "../../../src/web/ui/words/en.ts";

describe("the Pairings panel", () => {
  const row = (name: string, status: "connected" | "installed" | "not installed") => ({
    ...{ hookId: "h", runsOnAppId: "a", title: "Link", status },
    target: { appId: name.toLowerCase(), name, icon: "" },
  });

  it("has what is connected first, then what is there", () => {
    const rows = [row("Z", "not installed"), row("B", "installed"), row("C", "connected"), row("A", "installed")];
    expect(sortPairings(rows).map(({ target }) => target.name)).toEqual(["C", "A", "B", "Z"]);
  });

  it("tells its three states apart by word and picture", () => {
    const marks = (["connected", "installed", "not installed"] as const).map((status) => describeLink(en, status));
    expect(new Set(marks.map(({ icon }) => icon)).size).toBe(3);
    expect(marks.map(({ word }) => word)).toEqual(["Connected", "Installed", "Not installed"]);
  });
});

describe("problems", () => {
  it("come by who can do something about them, then by weight", () => {
    const problem = (audience: "owner" | "author" | "host", severity: "error" | "warning") => ({
      ...{ audience, severity, code: `${audience} ${severity}`, message: "", path: [] },
      ...{ line: 1, column: 1, length: 1 },
    });
    const sorted = sortProblems([
      problem("author", "error"),
      problem("owner", "warning"),
      problem("host", "error"),
      problem("owner", "error"),
    ]);
    expect(sorted.map(({ code }) => code)).toEqual(["owner error", "owner warning", "host error", "author error"]);
  });
});

describe("requirements", () => {
  it("name what is missing first, with what is there in its place", () => {
    const rows = listRequirements(en, {
      locations: { met: ["Media"], unmet: ["Photos"] },
      advisory: [
        { kind: "specification", required: "GPU", met: null, found: "" },
        { kind: "port", required: 80, met: false, found: "taken", proposal: 8_080 },
        { kind: "permission", required: "ROOT", met: false, found: "none" },
      ],
    });
    expect(rows).toEqual([
      { text: "Location Photos", met: false },
      { text: "Port 80", met: false, note: "Taken; 8080 is free" },
      { text: "Permission ROOT", met: false, note: "Found: none" },
      { text: "Hardware GPU", met: null },
      { text: "Location Media", met: true },
    ]);
  });
});
