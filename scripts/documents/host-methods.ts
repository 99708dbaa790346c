/**
 * Writes the table of methods and releases in docs/host-api.md: from the stand-in's registry, which the tests hold against
 * the real releases, and from the table of the adapter's calls. With `--check` only compares and exits 1 if it differs.
 */
import { HOST_METHODS, nameOnWire, SESSION_CALLS } from "../../src/adapters/host-rpc/host-calls.ts";
import { collectMethods } from "../../src/standin/methods/index.ts";
import { GENERATIONS, type HostGeneration } from "../../src/standin/settings.ts";
import { isPartCurrent, writePart } from "./document-part.ts";

const PART = { file: "docs/host-api.md", name: "host-methods" };

/** The names under which the adapter calls a release. */
function listCalled(generation: HostGeneration): ReadonlySet<string> {
  return new Set([...SESSION_CALLS, ...HOST_METHODS.flatMap((method) => nameOnWire(method, generation) ?? [])]);
}

const releases = GENERATIONS.map((name) => ({ name, has: collectMethods(name), called: listCalled(name) }));

function renderRow(method: string): string {
  const isJob = releases.some(({ has }) => has.get(method)?.kind === "job");
  const cells = releases.map(({ name, has, called }) => {
    if (has.has(method)) return called.has(method) ? "called" : "there";
    if (called.has(method)) throw new Error(`the adapter calls ${method}, which the stand-in of ${name} does not have`);
    return "–";
  });
  return `| \`${method}\` | ${[isJob ? "yes" : "", ...cells].join(" | ")} |`;
}

const names = new Set(releases.flatMap(({ has, called }) => [...has.keys(), ...called]));
const text = [
  `| Method | Job | ${GENERATIONS.join(" | ")} |`,
  `|---|---|${GENERATIONS.map(() => "---|").join("")}`,
  ...[...names].toSorted().map(renderRow),
].join("\n");

if (!process.argv.includes("--check")) writePart(PART, text);
else if (!isPartCurrent(PART, text)) {
  process.stderr.write(`${PART.file} is out of date: run npm run generate\n`);
  process.exitCode = 1;
}
