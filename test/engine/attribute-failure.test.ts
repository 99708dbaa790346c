import { expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { addDirectory, faultOf } from "../support/engine/scripted-world.ts";

it("a field the host refuses is shown with the question that decided it and the directory it names", async () => {
  const script = {
    requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
    installation_questions: [{ question: "Folder?", type: "text", key: "folder", default: "films" }],
    ensure_directories_exists: [{ path: "$LOCATION(Media)/$QUESTION(folder)" }],
    app_values: { storage: { films: "$HOST_PATH($LOCATION(Media)/$QUESTION(folder))" } },
  };
  const world = await openWorld({ catalog: { demo: script } });
  const { engine, host } = world;
  addDirectory(host.script.world, "/mnt/tank/media");
  const field = "storage.films.host_path_config.path";
  const fault = faultOf("HOST_INVALID", `${field}: not allowed`, { fields: [{ field, message: "not allowed" }] });
  host.script.endJob("app.create", { state: "FAILED", fault });
  const { id } = await engine.install("demo");
  const { failure } = await settledTask(engine, id);
  expect(failure).toMatchObject({
    code: "HOST_INVALID",
    context: [
      { label: field, value: "not allowed" },
      { label: "question", value: "folder" },
      { label: "directory", value: expect.stringMatching(/^\/mnt\/.*\/films$/) },
    ],
  });
});
