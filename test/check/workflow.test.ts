/** The workflow of docs/checking.md does what it says, step by step, in a checkout of a catalog. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { readDocument } from "../support/document.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { mainScript } from "../support/slipway-process.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const [, WORKFLOW = ""] = /```yaml workflow\n(.*?)```/s.exec(readDocument("docs/checking.md")) ?? [];
const STEPS = [...WORKFLOW.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, command = ""]) => command);

const Log = z.object({
  runs: z.tuple([
    z.object({
      results: z.array(
        z.object({
          ruleId: z.string(),
          level: z.string(),
          locations: z.tuple([
            z.object({ physicalLocation: z.object({ artifactLocation: z.object({ uri: z.string() }) }) }),
          ]),
        }),
      ),
    }),
  ]),
});

beforeEach(() => {
  cpSync(DEMO_CATALOG, folder.path, { recursive: true });
  // where npx finds the package that is installed
  const bin = folder.write(
    "node_modules/.bin/slipway",
    `#!/bin/sh\nexec "${process.execPath}" "${mainScript()}" "$@"\n`,
  );
  chmodSync(bin, 0o755);
  folder.write("node_modules/slipway/package.json", { name: "slipway", version: "0.1.0", bin: "bin.js" });
  execFileSync("git", ["init", "-q", folder.path]);
});

/** Runs the steps as a runner does, up to the first that fails; gives their exit codes. */
function runSteps(): readonly (number | null)[] {
  const codes: (number | null)[] = [];
  for (const step of STEPS) {
    const env = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      npm_config_offline: "true",
    };
    const { status } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", step], { cwd: folder.path, env });
    codes.push(status);
    if (status !== 0) break;
  }
  return codes;
}

function readResults(): z.infer<typeof Log>["runs"][0]["results"] {
  return Log.parse(JSON.parse(readFileSync(join(folder.path, "apps.sarif"), "utf8"))).runs[0].results;
}

it("passes for the demo catalog, and uploads what was written", () => {
  expect(STEPS).toHaveLength(2);
  expect(runSteps()).toEqual([0, 0]);
  expect(readResults().filter(({ level }) => level === "error")).toEqual([]);
  expect(WORKFLOW).toContain("sarif_file: apps.sarif");
});

it("fails where a hook does not complete, with the finding at its file", () => {
  folder.write("standin/demo-notes.json", []);
  expect(runSteps()).toEqual([0, 1]);
  const found = readResults().map(({ ruleId, locations }) => [
    ruleId,
    locations[0].physicalLocation.artifactLocation.uri,
  ]);
  expect(found).toContainEqual(["CHECK_REQUEST_UNANSWERED", "standin/demo-notes.json"]);
});

it("fails at its first step where a script can't be read", () => {
  folder.write("demo-notes.json", "{");
  expect(runSteps()).toEqual([1]);
});
