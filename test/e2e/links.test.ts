import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Actions } from "../../src/http/schemas/actions.ts";
import { AppDetail } from "../../src/http/schemas/apps.ts";
import { Form } from "../../src/http/schemas/forms.ts";
import { ProblemDetailsShape } from "../../src/http/schemas/problem-details.ts";
import { Task } from "../../src/http/schemas/tasks.ts";
import { Widget } from "../../src/http/schemas/widgets.ts";
import { runCommand } from "../support/command-line.ts";
import { restartApp, type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";

const CATALOG = fileURLToPath(new URL("catalog", import.meta.url));
const Requests = z.array(z.object({ method: z.string(), url: z.string(), body: z.string() }));
const FILM = "/mnt/tank/Media/film.mkv";

let served: ServedEngine;
beforeAll(async () => {
  served = await serveEngine({ catalog: CATALOG });
});
afterAll(() => served.close());

async function read<Schema extends z.ZodType>(
  response: Response | Promise<Response>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return schema.parse(await (await response).json());
}

/** Starts something over HTTP and returns its task at rest. */
async function settled(started: Response | Promise<Response>): Promise<z.infer<typeof Task>> {
  const { id } = await read(started, Task);
  await served.engine.settled(id);
  return read(served.api(`/tasks/${id}`), Task);
}

/** What the hub was told, as `METHOD path`. */
async function hubRequests(): Promise<readonly string[]> {
  const requests = Requests.parse(await served.control("requests", "hub"));
  return requests.map(({ method, url }) => `${method} ${url}`);
}

describe("what makes the catalog alive, over HTTP", () => {
  it("shows a widget as unavailable before its app is there, and its fields once it runs", async () => {
    const widget = () => read(served.api("/apps/alpha/widgets/status"), Widget);
    expect(await widget()).toMatchObject({ state: "unavailable", reason: '"alpha" is not installed' });
    await settled(served.post("/apps/alpha/install"));
    // The answer of the host serves all surfaces for a second.
    await expect.poll(widget).toMatchObject({
      state: "ready",
      fields: { status: { type: "text", text: "all is well" } },
    });
  });

  it("offers the links of the dialog with their defaults", async () => {
    const form = await read(served.api("/apps/hub/form"), Form);
    expect(form.button).toBe("Customize Install (3 options available)");
    expect(form.links).toMatchObject([
      { hookId: "connect-alpha", targets: [{ appId: "alpha", installed: true, default: true }] },
      {
        hookId: "connect-beta",
        targets: [{ appId: "beta", installed: false, default: false, installable: true, steps: [{}] }],
      },
      { hookId: "connect-badly", targets: [{ appId: "alpha" }] },
    ]);
    expect(form.collapsed.map(({ hookId }) => hookId)).toEqual(["connect-alpha", "connect-badly"]);
  });

  it("rejects a request with a faulty link whole, with the place of the fault", async () => {
    const links = [{ hookId: "connect-alpha", runsOnAppId: "hub", targets: ["alpha", "nowhere"] }];
    const response = await served.post("/apps/hub/install", { links });
    expect(response.status).toBe(422);
    const { problems } = await read(response, ProblemDetailsShape);
    expect(problems).toMatchObject([{ code: "PAIRING_TARGET_UNKNOWN", path: ["links", 0, "targets", 1] }]);
    expect(await read(served.api("/apps/hub"), AppDetail)).toMatchObject({ installed: null });
  });

  it("installs with links: one target missing, one still starting, one link failing; the install completes", async () => {
    await restartApp(served.standin, "alpha", { startMs: 20_000 });
    const install = await settled(
      served.post("/apps/hub/install", {
        links: [
          {
            hookId: "connect-beta",
            runsOnAppId: "hub",
            targets: ["beta"],
            install: { beta: { answers: { team: "blue" } } },
          },
          { hookId: "connect-badly", runsOnAppId: "hub", targets: ["alpha"] },
          { hookId: "connect-alpha", runsOnAppId: "hub", targets: ["alpha"] },
        ],
      }),
    );
    expect(install).toMatchObject({ state: "COMPLETED", progress: 100 });
    expect(install.children.map(({ kind, appId, hookId, state }) => [kind, hookId ?? appId, state])).toEqual([
      ["install", "beta", "COMPLETED"],
      ["link", "connect-beta", "COMPLETED"],
      ["link", "connect-badly", "FAILED"],
      ["link", "connect-alpha", "COMPLETED"],
    ]);
    expect(install.children[2]?.failure).toMatchObject({
      message: "Alpha knows no hub",
      context: expect.arrayContaining([{ label: "Reason", value: "on purpose" }]),
    });
    expect(await hubRequests()).toEqual(["PUT /links/beta", "PUT /links/alpha"]);
  });

  it("shows the linked targets as connected and the failed one as installed", async () => {
    const { pairings, suggestions } = await read(served.api("/apps/hub"), AppDetail);
    expect(pairings.map(({ hookId, status }) => `${hookId} ${status}`)).toEqual([
      "connect-alpha connected",
      "connect-beta connected",
      "connect-badly installed",
    ]);
    expect(suggestions).toEqual([]);
  });

  it("lists what people were told at the terminal, and marks it as read", async () => {
    const listed = async (...options: readonly string[]) => {
      const { exitCode, stdout } = await runCommand("notifications", "--api", served.server.url, ...options);
      expect(exitCode).toBe(0);
      return stdout.split("\n").map((line) => line.replace(/^\S+ +/, ""));
    };
    const lines = ['linked "hub" with "alpha" (connect-alpha)', 'linked "hub" with "beta" (connect-beta)'];
    expect(await listed("--unread", "--mark-read")).toEqual([...lines.map((line) => `new  ${line}`), ""]);
    expect(await listed()).toEqual([...lines, ""]);
    expect(await listed("--unread")).toEqual([""]);
    const { stdout } = await runCommand("audit", "--api", served.server.url, "--limit", "1");
    expect(stdout).toMatch(/ \(API, \w+\) {2}readNotifications\n$/);
  });

  it("refuses a second completed run of an action that must not run twice", async () => {
    expect(await settled(served.post("/apps/hub/actions/seed"))).toMatchObject({ state: "COMPLETED" });
    const again = await served.post("/apps/hub/actions/seed");
    expect(again.status).toBe(409);
    expect(await read(again, ProblemDetailsShape)).toMatchObject({ code: "ACTION_UNAVAILABLE" });
    const { actions } = await read(served.api("/apps/hub/actions"), Actions);
    expect(actions.find(({ hookId }) => hookId === "seed")).toMatchObject({ state: "disabled" });
  });

  it("runs a file action with the paths the app sees", async () => {
    writeFileSync(served.localPath(FILM), "");
    const shown = await read(served.api(`/apps/hub/actions?surface=fileBrowser&file=${FILM}`), Actions);
    expect(shown.actions).toMatchObject([{ hookId: "import", state: "enabled" }]);
    const none = await read(served.api("/apps/hub/actions?surface=fileBrowser&file=/mnt/tank/Media/a.txt"), Actions);
    expect(none.actions).toEqual([]);
    const run = await settled(served.post("/apps/hub/actions/import", { files: [FILM] }));
    expect(run).toMatchObject({ state: "COMPLETED" });
    const requests = Requests.parse(await served.control("requests", "hub"));
    expect(requests.at(-1)).toMatchObject({ method: "POST", url: "/import", body: "/media/film.mkv" });
  });
});
