import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDocument } from "../support/document.ts";

const FILES = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n").filter(existsSync);
const CODE = FILES.filter((file) => /^(src|machines|sandbox|scripts)\/.*\.(ts|html)$/.test(file));
const PAGES = FILES.filter((file) => file.endsWith(".md") && !file.startsWith("test/"));

interface Reference {
  readonly file: string;
  readonly page: string;
  /** A heading's number or text, where one is named. */
  readonly place: string | undefined;
}

/** `docs/page.md`, `docs/page.md, section 3.2` and `docs/page.md, "Heading"`, as the code writes them. */
const NAMED = /\b((?:docs\/)?[\w-]+\.md)(?:, (?:sections? (\d+)|invariant (\d+)|"([^"]+)"))?/g;

const REFERENCES: readonly Reference[] = CODE.flatMap((file) =>
  [...unwrapped(readDocument(file)).matchAll(NAMED)].map(([, page = "", section, invariant, heading]) => ({
    file,
    page,
    place: section ?? heading ?? (invariant === undefined ? undefined : "Invariants"),
  })),
);

/** A comment's text with its line breaks taken out. */
function unwrapped(text: string): string {
  return text.replaceAll(/\n\s*(?:\*|\/\/) ?/g, " ");
}

function headingsOf(page: string): readonly string[] {
  return [...readDocument(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
}

/** GitHub's anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

describe("the documents the code names", () => {
  it("are there, with the sections named", () => {
    expect(REFERENCES.length).toBeGreaterThan(50);
    const lost = REFERENCES.filter(({ page, place }) => {
      if (!existsSync(page)) return true;
      if (place === undefined) return false;
      return !headingsOf(page).some((heading) => heading === place || heading.startsWith(`${place}. `));
    });
    expect(lost).toEqual([]);
  });

  it("are none outside of the repository", () => {
    const outside = CODE.filter((file) =>
      /\.\.\/shared\/(?!catalog|app-schemas)|\bfacts\/|\bdesign\.md\b/.test(readDocument(file)),
    );
    expect(outside).toEqual([]);
  });
});

describe("the links of the documents", () => {
  it.each(PAGES)("lead somewhere: %s", (page) => {
    const prose = readDocument(page).replaceAll(/`[^`]*`/g, "");
    const lost = [...prose.matchAll(/\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]+))?\)/g)].filter(
      ([, path = "", anchor]) => {
        const target = path === "" ? page : join(dirname(page), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !headingsOf(target).some((heading) => anchorOf(heading) === anchor);
      },
    );
    expect(lost.map(([link]) => link)).toEqual([]);
  });
});
