/** What an export takes of the apps that are installed, and what it leaves where it is. */
import { describe, expect } from "vitest";
import { readExport } from "../../../src/engine/move/read-export.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { Exported } from "../../../src/http/schemas/system/moves.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { MOVED_APPS, SECRETS, setUpHouse } from "../../support/engine/moved-house.ts";

describe("exportApps", () => {
  it("takes what each app was set up with, its links and the policies, and no secret in the clear", async () => {
    const world = await setUpHouse();
    const { engine, host, log } = world;
    const { instances } = host.script.world;
    const [made] = instances.values();
    if (made !== undefined)
      instances.set("foreign", { ...made, app: { ...made.app, name: "foreign", appId: "foreign" } });
    const policies = { all: { mode: "automatic", cron: "0 3 * * *" }, apps: { notes: { mode: "manual" } } } as const;
    await engine.setUpgradePolicies(policies);
    const exported = await engine.exportApps({ passphrase: "eight chars or more" });
    expect(exported).toMatchObject({
      apps: ["library", "notes"],
      links: 1,
      sealed: true,
      leftOut: [{ appId: "foreign", code: "EXPORT_APP_UNKNOWN" }],
    });
    const { file } = readExport(exported.file);
    expect(file).toMatchObject({
      apps: [
        { appId: "library", script: { version: "1.0.0", sha256: expect.any(String) }, answers: {}, consents: {} },
        {
          appId: "notes",
          version: "2.0.0",
          answers: { user: "ada", folder: "/mnt/tank/media/notes" },
          consents: { welcome: false, index: true },
        },
      ],
      links: [{ runsOnAppId: "notes", hookId: "connect", targets: ["library"] }],
      policies,
      locations: { Media: "/mnt/tank/media" },
    });
    for (const secret of SECRETS) expect(exported.file).not.toContain(secret);
    const told = JSON.stringify([log, engine.audit()]);
    for (const secret of [...SECRETS, "eight chars or more"]) expect(told).not.toContain(secret);
  });

  it("leaves secrets out where told so, over HTTP too, and has nothing to write where no app is known", async () => {
    const { engine } = await setUpHouse();
    const http = createHttpApp(engine);
    const asked = await http.request("/api/export", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ withoutSecrets: true }),
    });
    const exported = Exported.parse(await asked.json());
    expect([asked.status, asked.headers.get("cache-control"), exported.sealed]).toEqual([200, "no-store", false]);
    expect(readExport(exported.file).file.secrets).toBeUndefined();
    for (const secret of SECRETS) expect(exported.file).not.toContain(secret);

    const empty = await openWorld({ catalog: MOVED_APPS });
    await expect(empty.engine.exportApps({ withoutSecrets: true })).rejects.toMatchObject({ code: "EXPORT_NONE" });
    await settledTask(empty.engine, (await empty.engine.install("library")).id);
    expect((await empty.engine.exportApps({ withoutSecrets: true })).apps).toEqual(["library"]);
  });
});
