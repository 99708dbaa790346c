/**
 * `npm run readme:demo`: runs the demo and writes its output into the README, progress lines and resolved values left
 * out. `test/docs/demo.test.ts` holds the README to what the demo really prints.
 */
import { execFileSync } from "node:child_process";
import { writePart } from "./document-part.ts";

const output = execFileSync("npm", ["run", "-s", "demo"], { encoding: "utf8" });
writePart({ file: "README.md", name: "demo" }, `\`\`\`\n${shortenOutput(output)}\`\`\``);

/** Without lines of progress and without the section of resolved values. */
function shortenOutput(printed: string): string {
  return printed
    .replace(/\nWhat the apps were created with[\s\S]*?(?=\nthe demo ended)/, "")
    .split("\n")
    .filter((line) => !/RUNNING|PENDING/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}
