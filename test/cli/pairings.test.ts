import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { on, rawHook, rawScript } from "../support/scripts/scripts.ts";

const folder = mkdtempSync(join(tmpdir(), "slipway-pairings-"));
const to = { conditions: [on("plex")] };
const hooks = [
  rawHook({ id: "links", ...to, description: "Links both.", kind: "connect" }),
  rawHook({ id: "unread", ...to, scriptContent: undefined, script: "missing.ts" }),
  rawHook({ id: "files", ...to, target: { type: "files", accepts: [".mkv"] } }),
  rawHook({ id: "card-only", ...to, surfaces: ["card"] }),
  rawHook({ id: "alone", conditions: [on("radarr")] }),
  rawHook({ id: "after", events: ["onAfterInstall"], rerun: undefined }),
  rawHook({ id: "future", ...to, events: ["onMoon"] }),
  rawHook({ id: "no-rerun", ...to, rerun: undefined }),
];
const FILES = {
  radarr: JSON.stringify(rawScript({ hooks })),
  plex: JSON.stringify(rawScript()),
  "no-array": JSON.stringify(rawScript({ hooks: { a: 1 } })),
  broken: "{",
};
beforeAll(() => {
  for (const [id, text] of Object.entries(FILES)) writeFileSync(join(folder, `${id}.json`), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function explained(appId: string): Promise<readonly string[]> {
  const { stdout, exitCode } = await runCommand("pairings", appId, "--catalog", folder, "--explain");
  expect(exitCode).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim());
}

describe("pairings", () => {
  it("prints the body of the route as JSON", async () => {
    const { stdout } = await runCommand("pairings", "plex", "--catalog", folder, "--format", "json");
    expect(JSON.parse(stdout)).toEqual({
      appId: "plex",
      pairings: [
        {
          targets: [{ appId: "radarr", name: "radarr", icon: "" }],
          runsOnAppId: "radarr",
          hookId: "links",
          title: "Connect",
          description: "Links both.",
          kind: "connect",
        },
        {
          targets: [{ appId: "radarr", name: "radarr", icon: "" }],
          runsOnAppId: "radarr",
          hookId: "unread",
          title: "Connect",
        },
      ],
    });
  });

  it("--explain says of every declared hook which targets it links, or why it yields no pairing", async () => {
    expect(await explained("radarr")).toEqual([
      "links: links plex",
      "unread: links plex",
      "files: it acts on files",
      'card-only: its surfaces leave out "installPicker"',
      "alone: no condition names another app",
      'after: it has no "userAction" event',
      'hooks[6]: dropped: HOOK_EVENTS_NONE: hook "future" has no known event in "events"',
      'hooks[7]: dropped: HOOK_RERUN_MISSING: hook "no-rerun" can be started by a user but has no "rerun"',
    ]);
  });

  it.each([
    [
      "no-array",
      [
        "*: the install script is refused, see validate",
        '*: dropped: SCRIPT_FIELD_TYPE: "hooks" is an object, it must be an array',
      ],
    ],
    ["broken", ["*: the install script is refused, see validate"]],
    ["nobody", ["*: the catalog has no such app"]],
  ])("--explain says why %s has none at all", async (appId, lines) => {
    expect(await explained(appId)).toEqual(lines);
  });
});
