import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../support/command-line.ts";
import { readDocument } from "../support/document.ts";

const README = readDocument("README.md");
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "docs/operating.md",
  "docs/install-scripts.md",
  "docs/hooks.md",
] as const;

/** The first cells of the table of commands, with the options their rows name. */
const ROWS = README.slice(README.indexOf("| Command | What it does |"))
  .split("\n\n")[0]
  ?.split("\n")
  .slice(2)
  .map((line) => {
    const [, cell = ""] = line.split(/(?<!\\)\|/);
    const written = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
    const names = written.flatMap((text) => (text.split(" ")[0] ?? "").split("\\|"));
    return { names, options: [...line.matchAll(/--[a-z-]+/g)].map(([option]) => option) };
  });

async function helpOf(...command: readonly string[]): Promise<string> {
  const { stdout } = await runCommand(...command, "--help");
  return stdout;
}

describe("the README's table of commands", () => {
  it("names every command there is, and no other", async () => {
    const help = await helpOf();
    const offered = [...help.matchAll(/^ {2}([a-z-]+)(?: |$)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== "help");
    expect(ROWS?.flatMap(({ names }) => names).sort()).toEqual([...new Set(offered)].sort());
  });

  it.each(ROWS ?? [])("names options that exist: $names", async ({ names, options }) => {
    const helps = (await Promise.all(names.map((name) => helpOf(name)))).join("\n");
    // what a row says of another command's option is held by that command's own help
    const all = helps + (await helpOf("tasks"));
    expect(options.filter((option) => !all.includes(option))).toEqual([]);
  });
});

describe("npm scripts the documents name", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));

  it.each(PAGES)("exist: %s", (page) => {
    const code = [...readDocument(page).matchAll(/`[^`]+`|^```[\s\S]*?^```/gm)].join("\n");
    const named = [...code.matchAll(/npm run (?:-s |--silent )?([\w:-]+)(?=[`\s])/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
