import { describe, expect, it } from "vitest";
import { type ActionContext, checkAction, listActionsOn } from "../../../src/core/hooks/actions.ts";
import { matchTargetFiles, toContainerPath } from "../../../src/core/hooks/file-targets.ts";
import type { TaskState } from "../../../src/core/task-states.ts";
import { dictionaryOf, hookOf, on, rawHook } from "../../support/scripts/scripts.ts";

const running = { state: "RUNNING", version: "1.0.0", ports: [] };
const MOUNTS = [
  { hostPath: "/mnt/tank/Media", containerPath: "/media" },
  { hostPath: "/mnt/tank/Media/Shows", containerPath: "/tv/" },
  { hostPath: "/mnt/tank/config", containerPath: null },
];

function deps(changes: Partial<ActionContext> = {}): ActionContext {
  return {
    apps: { radarr: running },
    mounts: MOUNTS,
    selection: [],
    busy: null,
    runs: () => [],
    ...changes,
  };
}

const run = (state: TaskState, target: string | null = null) => ({ state, target });
const FILES = { type: "files", accepts: [".mkv", ".tar.gz", ".gz"] };
const MOVIE = "/mnt/tank/Media/film.mkv";

/** Specification, "Target (version 6 hooks)" and "Rerun semantics". */
const ROWS: readonly [row: string, hook: Record<string, unknown>, deps: Partial<ActionContext>, standing: unknown][] = [
  ["an action without conditions is enabled", {}, {}, { state: "enabled", files: [] }],
  [
    "an action of an app somebody changes is disabled",
    {},
    { busy: "it is being stopped" },
    { state: "disabled", reason: "it is being stopped" },
  ],
  [
    "an action on an app that is not installed is disabled",
    {},
    { apps: {} },
    { state: "disabled", reason: '"radarr" is not installed' },
  ],
  ["a failed visibility hides", { conditions: [on("sonarr")] }, {}, { state: "hidden" }],
  [
    "a failed availability disables with a reason",
    { conditions: [on("sonarr", "appRunning", "availability")] },
    {},
    { state: "disabled", reason: '"sonarr" is not installed' },
  ],
  ["accepts: no file selected", { target: FILES }, {}, { state: "hidden" }],
  [
    "accepts: every selected file matches, whatever its case",
    { target: FILES },
    { selection: ["/mnt/tank/Media/Film.MKV"] },
    {
      state: "enabled",
      files: [
        { path: "/mnt/tank/Media/Film.MKV", containerPath: "/media/Film.MKV", name: "Film.MKV", extension: ".mkv" },
      ],
    },
  ],
  [
    "accepts: one selected file does not match",
    { target: FILES },
    { selection: [MOVIE, "/mnt/tank/Media/a.txt"] },
    { state: "hidden" },
  ],
  [
    "accepts: a mismatch hides even where a condition only disables",
    { target: FILES, conditions: [on("sonarr", "appRunning", "availability")] },
    { selection: ["/mnt/x.txt"] },
    { state: "hidden" },
  ],
  [
    "maxFiles: more files than allowed",
    { target: { ...FILES, maxFiles: 1 } },
    { selection: [MOVIE, "/mnt/tank/Media/b.mkv"] },
    { state: "disabled", reason: "takes at most 1 files at once" },
  ],
  [
    "requiresTargetMount: a file the app cannot reach",
    { target: FILES },
    { selection: ["/mnt/tank/Downloads/a.mkv"] },
    { state: "disabled", reason: `the app can't reach "a.mkv"` },
  ],
  [
    "requiresTargetMount false: the hook delivers the file itself",
    { target: { ...FILES, requiresTargetMount: false } },
    { selection: ["/mnt/tank/Downloads/a.mkv"] },
    {
      state: "enabled",
      files: [{ path: "/mnt/tank/Downloads/a.mkv", containerPath: null, name: "a.mkv", extension: ".mkv" }],
    },
  ],
  [
    "rerun refuse: a completed run exists",
    { rerun: "refuse" },
    { runs: () => [run("COMPLETED")] },
    { state: "disabled", reason: "it has been done and must not run twice" },
  ],
  [
    "rerun refuse: only failed and dismissed runs exist",
    { rerun: "refuse" },
    { runs: () => [run("FAILED"), run("DISMISSED")] },
    { state: "enabled", files: [] },
  ],
  [
    "rerun idempotent: always allows a run",
    { rerun: "idempotent" },
    { runs: () => [run("COMPLETED")] },
    { state: "enabled", files: [] },
  ],
  [
    "rerun converge: always allows a run",
    { rerun: "converge" },
    { runs: () => [run("COMPLETED")] },
    { state: "enabled", files: [] },
  ],
  [
    "rerun refuse: a completed run on other files",
    { rerun: "refuse" },
    { runs: () => [run("COMPLETED", '["/a"]')] },
    { state: "enabled", files: [] },
  ],
  [
    "an unfinished run",
    { rerun: "idempotent" },
    { runs: () => [run("AWAITING_RETRY")] },
    { state: "disabled", reason: "it is running" },
  ],
];

describe("action standings", () => {
  it.each(ROWS)("%s", (_row, hook, changes, standing) => {
    expect(checkAction("radarr", hookOf("radarr", hook), deps(changes))).toEqual(standing);
  });

  it("lists on a surface only the hooks that have it, in declaration order", () => {
    const dictionary = dictionaryOf("radarr", {
      hooks: [
        rawHook({ id: "second", surfaces: ["card"] }),
        rawHook({ id: "files", target: FILES }),
        rawHook({ id: "first", surfaces: ["widget", "card"] }),
      ],
    });
    const ids = (surface: "card" | "widget" | "fileBrowser") =>
      listActionsOn(dictionary, surface, deps({ selection: [MOVIE] })).map(({ hook }) => hook.id);
    expect(ids("card")).toEqual(["second", "first"]);
    expect(ids("widget")).toEqual(["first"]);
    expect(ids("fileBrowser")).toEqual(["files"]);
  });
});

describe("container paths", () => {
  it.each([
    ["the mount itself", "/mnt/tank/Media", "/media"],
    ["a file below it", "/mnt/tank/Media/a/b.mkv", "/media/a/b.mkv"],
    ["the longest mount wins", "/mnt/tank/Media/Shows/x.mkv", "/tv/x.mkv"],
    ["a sibling with the same beginning is outside", "/mnt/tank/Media2/x.mkv", null],
    ["a mount without a container path reaches nothing", "/mnt/tank/config/a", null],
  ])("%s", (_row, path, inside) => {
    expect(toContainerPath(path, MOUNTS)).toBe(inside);
  });

  it("takes the longest accepted extension", () => {
    const { target } = hookOf("radarr", { target: FILES });
    if (target === undefined) throw new Error("the hook has no target");
    const found = matchTargetFiles(target, ["/mnt/tank/Media/a.tar.gz"], MOUNTS);
    expect(found).toMatchObject({ files: [{ extension: ".tar.gz" }] });
  });
});
