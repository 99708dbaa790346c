/** An app somebody else has installed, on a host of which this engine knows nothing. */
import type { JsonObject } from "../../../src/core/json/json.ts";
import type { HostApp } from "../../../src/engine/ports/host-records.ts";
import { openWorld } from "../../support/engine/engine-test.ts";
import type { EngineWorld } from "../../support/engine/engine-world.ts";
import { addDirectory, makeInstance } from "../../support/engine/scripted-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const LOCATION = "$LOCATION(ApplicationsPerformance)";

/** The script of demo. */
export const DEMO = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  installation_questions: [
    { question: "Name?", type: "text", key: "name", default: "Ann" },
    { question: "Password?", type: "password", key: "pw", required: true, default: "$RANDOM_STRING(12)" },
    { question: "Folder?", type: "text", key: "folder", default: "demo" },
    {
      question: "Mode?",
      type: "select",
      key: "mode",
      options: [
        { text: "A", value: "a" },
        { text: "B", value: "b" },
      ],
    },
    { question: "Mail?", type: "text", key: "mail", required: true },
    { question: "First user?", type: "text", key: "first", required: true, installonly: true },
  ],
  ensure_directories_exists: [{ path: `${LOCATION}/$QUESTION(folder)` }, { path: `${LOCATION}/plain` }],
  app_values: {
    demo: {
      name: "$QUESTION(name)",
      pw: "$QUESTION(pw)",
      secret: "$RANDOM_STRING(20)",
      mode: "$QUESTION(mode)",
      url: "http://$SERVER_LAN_IP:80/$QUESTION(mail)-$QUESTION(first)",
      fixed: 1,
    },
    storage: { data: `$HOST_PATH(${LOCATION}/$QUESTION(folder))` },
  },
};

/** Its configuration, as somebody else has left it. */
export const LIVE: JsonObject = {
  demo: {
    name: "Bob",
    pw: "hunter2-hunter2",
    secret: "theirs-theirs-theirs",
    mode: "b",
    url: "x",
    fixed: 2,
    own: true,
  },
  storage: {
    data: { type: "host_path", acl: null, host_path_config: { acl_enable: false, path: "/mnt/tank/apps/theirs" } },
  },
  run_as: { user: 568 },
};

/** What nobody can tell from it, and has to be given. */
export const GIVEN = { answers: { mail: "a@b" } };

/** Demo runs, installed by other means, beside an app that links to it. */
export async function openForeign(values: JsonObject = LIVE, app: Partial<HostApp> = {}): Promise<EngineWorld> {
  const world = await openWorld({
    catalog: {
      demo: { ...DEMO, hooks: [rawHook({ id: "scan", events: ["userAction", "onAfterInstall"] })] },
      other: { hooks: [rawHook({ conditions: [on("demo")] })] },
    },
    host: {
      datasets: ["tank", "tank/apps", "tank/media"],
      instances: [makeInstance("demo", values, app)],
    },
  });
  addDirectory(world.host.script.world, "/mnt/tank/apps/theirs");
  return world;
}
