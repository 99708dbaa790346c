/** `npm run bench`: every bench in turn, each a process of its own. `npm run bench -- turn host` runs only those. */
import { spawnSync } from "node:child_process";

const all = [
  "turn",
  "install",
  "recovery",
  "watch",
  "tasks",
  "validate",
  "resolve",
  "sandbox",
  "check",
  "journal",
  "host",
  "pairings",
  "start",
  "page",
];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no bench "${unknown.join('", "')}", there are ${all.join(", ")}`);
  process.exit(2);
}
let failed = 0;
for (const name of wanted.length === 0 ? all : wanted) {
  console.log(`\n## ${name}`);
  const { status } = spawnSync(process.execPath, [`scripts/bench/${name}.ts`], { stdio: "inherit" });
  if (status !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
