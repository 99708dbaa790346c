/** An app's page in a browser, through all it may come to. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_CATALOG } from "../../support/engine/served-engine.ts";
import { openRaw } from "../../support/engine/standin-client.ts";
import { on, rawHook, rawScript, WISH } from "../../support/scripts/scripts.ts";
import { expectFine, type Screen } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";
import { countNodes, showElement } from "../support/show-element.ts";

const TAG = "<img src=x onerror=alert(1)>";
const TURNED = "\u202Egpj.exe\u2066";
const LONG = "W".repeat(10_000);

/** Links of one app with so many others. */
const LINKS = 200;
const NEIGHBOURS = Array.from({ length: LINKS }, (_, n) => `neighbour-${n}`);

const HOSTILE = rawScript({
  custom: true,
  metadata: { name: `${TAG}${TURNED}`, description: `javascript:alert(1) ${LONG}`, icon: "icon.svg", version: "1.0.0" },
  script: { version: "1.0.0", changeLog: `${TAG}${LONG}` },
  requirements: { locations: ["Media"], specifications: ["8CORE"], permissions: [], ports: [80] },
  hooks: [
    rawHook({ id: "tag", title: TAG, description: `${TURNED} ${LONG}`, conditions: [on("demo-notes")] }),
    rawHook({ id: "long", title: LONG, conditions: [on("nobody-has-it")] }),
  ],
});

/** Makes a directory, and asks once it is installed. */
const KEEPER = rawScript({
  custom: true,
  metadata: { name: "Keeper", description: "Keeps things", icon: "icon.svg", version: "1.0.0" },
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/keeper" }],
  app_values: { keeper: { on: true } },
  hooks: [rawHook({ id: "ask", title: "Ask first", events: ["onAfterInstall"], rerun: undefined, inputs: [WISH] })],
});

describe("an app's page", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-app-page-"));
  let served: ServedPage;
  beforeAll(async () => {
    cpSync(DEMO_CATALOG, folder, { recursive: true });
    const write = (id: string, script: unknown) => writeFileSync(join(folder, `${id}.json`), JSON.stringify(script));
    write("hostile", HOSTILE);
    write("keeper", KEEPER);
    write("refused", { ...rawScript(), requirements: { locations: ["Nowhere"] }, hooks: [{ id: TAG }] });
    const links = NEIGHBOURS.map((id, n) => rawHook({ id: `link-${n}`, title: `Link ${n}`, conditions: [on(id)] }));
    write("popular", rawScript({ hooks: links }));
    served = await servePage({ catalog: folder });
  });
  afterAll(async () => {
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const show = (app: string, dialog = "") => showElement(served, "slip-app-page", { app, dialog });
  const region = ({ page }: Screen, name: string) => page.getByRole("region", { name, exact: true });
  const rows = (screen: Screen, name: string) => region(screen, name).getByRole("listitem");
  const start = async (path: string, body: unknown = {}) => {
    const response = await served.post(path, body);
    expect(response.status).toBe(202);
  };
  const onHost = async (method: string, app: string) => {
    const client = await openRaw(served.standin.url);
    const { username, apiKey } = served.standin;
    await client.call("auth.login_ex", { mechanism: "API_KEY_PLAIN", username, api_key: apiKey });
    await client.job(method, app);
  };

  it("shows what is not installed: what it needs, what it links with, and the way to install either", async () => {
    const screen = await show("demo-media");
    await screen.page.getByRole("heading", { level: 1, name: "Demo Media" }).waitFor();
    await expect
      .poll(() => rows(screen, "Pairings").allInnerTexts())
      .toEqual([expect.stringContaining("Not installed")]);
    expect(await region(screen, "Pairings").getByRole("button").count()).toBe(0);
    await region(screen, "Requirements").getByText("Location Media").waitFor();
    expect(await screen.page.getByRole("link", { name: "Options" }).count()).toBe(0);
    expect(await screen.page.getByRole("link", { name: "Custom install" }).getAttribute("href")).toBe(
      "/apps/demo-media/custom",
    );
    expect(await screen.page.getByRole("link", { name: "Install", exact: true }).getAttribute("href")).toBe(
      "/apps/demo-media/install",
    );
    const install = region(screen, "Install to connect").getByRole("link", { name: "Install Demo Notes" });
    expect(await install.getAttribute("href")).toBe("/apps/demo-notes");
    await expectFine(screen, "not installed");
    await install.click();
    await screen.page.waitForURL("**/apps/demo-notes");
  });

  it("follows pairings through their three states, and runs the action that connects them", async () => {
    const screen = await show("demo-media");
    await rows(screen, "Pairings").getByText("Not installed").waitFor();
    await start("/apps/demo-notes/install", { inputs: { "first-notebook": { notebook: "Home" } }, links: [] });
    await rows(screen, "Pairings").getByText("Installed", { exact: true }).waitFor();
    expect(await region(screen, "Install to connect").count()).toBe(0);
    await expectFine(screen, "installed, not connected");

    await start("/apps/demo-media/install", { links: [] });
    const run = screen.page.getByRole("button", { name: "Connect to Demo Notes", exact: true });
    await expect.poll(() => run.isEnabled()).toBe(true);
    await rows(screen, "Pairings").getByText("Installed", { exact: true }).waitFor();
    expect(await screen.page.getByRole("link", { name: "Open" }).getAttribute("rel")).toBe("noopener noreferrer");
    await run.click();
    await screen.page.locator("p", { hasText: "Started: Connect to Demo Notes" }).waitFor();
    await rows(screen, "Pairings").getByText("Connected", { exact: true }).waitFor();
    await screen.page.locator("slip-widget[standing=ready]").waitFor();
    await region(screen, "Activity").getByText("Connect to Demo Notes").first().waitFor();
    await expectFine(screen, "connected");
    const sent: string[] = [];
    await screen.page.route("**/actions/*", (route) => {
      sent.push(route.request().url());
      return route.abort();
    });
    // Pressed in the moment another app takes its place, once it can be pressed again.
    const press = (view: Element) => {
      const buttons = [...(view.shadowRoot?.querySelectorAll("button") ?? [])];
      const button = buttons.find((one) => one.textContent.trim() === "Connect to Demo Notes");
      if (button === undefined || button.disabled) return false;
      Reflect.set(view, "app", "demo-notes");
      button.click();
      return true;
    };
    await expect.poll(() => screen.page.locator("slip-app-page-view").evaluate(press)).toBe(true);
    await expect.poll(() => sent).toEqual([expect.stringContaining("/apps/demo-media/actions/")]);
    await screen.page.getByRole("heading", { level: 1, name: "Demo Notes" }).waitFor();
    const other = await show("demo-notes");
    await rows(other, "Pairings").getByText("Offered by Demo Media").waitFor();
    await rows(other, "Pairings").getByText("Connected", { exact: true }).waitFor();
  });

  it("says why an action can't be run", async () => {
    const screen = await show("demo-media");
    const run = screen.page.getByRole("button", { name: "Connect to Demo Notes", exact: true });
    await expect.poll(() => run.isEnabled()).toBe(true);
    await onHost("app.stop", "demo-notes");
    await expect.poll(() => run.isDisabled()).toBe(true);
    const reason = await run.evaluate((button) => {
      const root = button.getRootNode();
      const id = button.getAttribute("aria-describedby") ?? "";
      return root instanceof ShadowRoot ? root.getElementById(id)?.textContent?.trim() : "";
    });
    expect(reason).toMatch(/demo-notes|Demo Notes/i);
    await expectFine(screen, "a disabled action");
    await onHost("app.start", "demo-notes");
    await expect.poll(() => run.isEnabled()).toBe(true);
  });

  it("shows where an upgrade leads, and what is new", async () => {
    const screen = await show("demo-notes");
    await screen.page.locator("header").getByText("Running", { exact: true }).waitFor();
    const version = await served.control("release", "demo-notes");
    await region(screen, "What is new")
      .getByText(`to ${String(version)}`)
      .waitFor();
    expect(await screen.page.getByRole("link", { name: "Upgrade", exact: true }).getAttribute("href")).toBe(
      "/apps/demo-notes/upgrade",
    );
    await expectFine(screen, "an upgrade");
  });

  it("opens its dialogs, and shows itself again where they are closed", async () => {
    const dialogs = [
      ["hostile", "install", /^Install/],
      ["demo-notes", "options", /Demo Notes/],
      ["demo-notes", "upgrade", /Demo Notes/],
      ["demo-notes", "rollback", /Roll back .*Notes/i],
      ["demo-notes", "uninstall", /Uninstall Demo Notes/],
    ] as const;
    for (const [app, dialog, name] of dialogs) {
      const screen = await show(app, dialog);
      const opened = screen.page.getByRole("dialog", { name });
      await opened.waitFor();
      await screen.page.keyboard.press("Escape");
      await opened.waitFor({ state: "detached" });
      await screen.page.getByRole("heading", { level: 1 }).waitFor();
      expect(screen.faults).toEqual([]);
    }
  });

  it("is reached from the catalog by its address, as its dialogs are", async () => {
    const screen = await served.open("/apps");
    const path = () => new URL(screen.page.url()).pathname;
    await screen.page.getByRole("link", { name: "Demo Notes", exact: true }).waitFor();
    await expectFine(screen, "the catalog on the page");
    await screen.page.getByRole("link", { name: "Demo Notes", exact: true }).click();
    await screen.page.getByRole("heading", { level: 1, name: "Demo Notes" }).waitFor();
    expect(path()).toBe("/apps/demo-notes");
    await expectFine(screen, "an app on the page");
    await screen.page.getByRole("link", { name: "Options", exact: true }).click();
    await screen.page.getByRole("dialog").waitFor();
    expect(path()).toBe("/apps/demo-notes/options");
    await screen.page.keyboard.press("Escape");
    await screen.page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(path).toBe("/apps/demo-notes");
    // A dialog that was closed is not come back to.
    await screen.page.goBack();
    await expect.poll(path).toBe("/apps/demo-notes");
    expect(await screen.page.getByRole("dialog").count()).toBe(0);
    expect(screen.faults).toEqual([]);
  });

  it("shows what authors wrote as text that fits, whatever it is", async () => {
    const screen = await show("hostile");
    await screen.page.getByRole("heading", { level: 1 }).getByText(TAG).waitFor();
    await region(screen, "Pairings").getByText(TAG).waitFor();
    await region(screen, "Pairings").getByText(LONG).waitFor();
    await region(screen, "Install to connect").getByText("No install script").waitFor();
    await region(screen, "Requirements").getByText("Hardware 8CORE").waitFor();
    const hrefs = await screen.page
      .locator("slip-app-page a")
      .evaluateAll((links) => links.map((link) => String(link)));
    expect(hrefs.filter((href) => !href.startsWith(`${served.server.url}/apps/`))).toEqual([]);
    expect(await screen.page.locator("slip-app-page :is(img, script, iframe, [onerror])").count()).toBe(0);
    await expectFine(screen, "a hostile script");
  });

  it("says what is wrong with a script, and whose it is to mend", async () => {
    const screen = await show("refused");
    await screen.page.getByText("No install script", { exact: true }).waitFor();
    await region(screen, "Problems").locator("summary").click();
    await region(screen, "Problems").getByText("For the author of the catalog").first().waitFor();
    expect(await screen.page.getByRole("link", { name: "Install", exact: true }).count()).toBe(0);
    await expectFine(screen, "a refused script");
  });

  it("shows as many of its links as are asked for", async () => {
    const screen = await show("popular");
    await expect.poll(() => rows(screen, "Pairings").count()).toBe(25);
    expect(await countNodes(screen)).toBeLessThan(3_000);
    await region(screen, "Pairings")
      .getByRole("button", { name: `Show more, ${LINKS - 25} are left` })
      .click();
    await expect.poll(() => rows(screen, "Pairings").count()).toBe(50);
  });

  it("says that nobody knows an app", async () => {
    const { page, faults } = await show("nobody-knows-it");
    await page.getByRole("alert").getByText("APP_UNKNOWN").waitFor();
    await page.getByRole("heading", { level: 1, name: "nobody-knows-it" }).waitFor();
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
  });

  it("goes with an app all its way: installed, stopped, started, restarted, gone with its data", async () => {
    const screen = await served.open("/apps/keeper/install");
    const { page } = screen;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const started = async () => {
      await page.waitForURL(/\/activity\/[^/]+$/);
      return decodeURIComponent(page.url().split("/").at(-1) ?? "");
    };
    const end = async (kind: string) => {
      expect(await served.engine.settled(await started())).toMatchObject({ kind, state: "COMPLETED" });
      await page.goto(`${served.server.url}/apps/keeper`);
    };

    await button("Install").click();
    const install = await started();
    expect(await served.engine.settled(install)).toMatchObject({ children: [{ state: "AWAITING_INPUT" }] });
    await page.goto(`${served.server.url}/apps/keeper/uninstall`);
    await button("Uninstall").click();
    await page.getByRole("alert").getByText("TASK_CONFLICT").waitFor();
    // The browser itself writes a line about the answer.
    expect(screen.faults.splice(0)).toEqual([expect.stringContaining("409")]);
    await expectFine(screen, "an uninstall that another task is in the way of");
    await page.locator("slip-uninstall").getByRole("button", { name: "Show what is running" }).click();
    expect(await started()).toBe(install);
    await page.goBack();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText('"Install Keeper" is under way').waitFor();
    expect(await button("Stop: Keeper").isDisabled()).toBe(true);
    await expectFine(screen, "an app another task is at work on");
    await served.engine.input(`${install}~ask`, { wish: "well" });
    await served.engine.settled(install);

    for (const [name, kind, state] of [
      ["Stop: Keeper", "stop", "Stopped"],
      ["Start: Keeper", "start", "Running"],
      ["Restart: Keeper", "restart", "Running"],
    ] as const) {
      await expect.poll(() => button(name).isEnabled()).toBe(true);
      await button(name).click();
      await end(kind);
      await page.locator("header").getByText(state, { exact: true }).waitFor();
      if (state === "Stopped") expect(await button("Stop: Keeper").count()).toBe(0);
    }

    await page.getByRole("link", { name: "Uninstall: Keeper" }).press("Enter");
    await page.getByText("stays", { exact: true }).waitFor();
    await page.getByRole("radio", { name: "Keep its data" }).press("ArrowDown");
    await page.getByText("is removed, after a snapshot", { exact: true }).waitFor();
    await page.getByText(/\/keeper$/).waitFor();
    await page.keyboard.press("Enter");
    await expectFine(screen, "an uninstall with its data");
    await button("Uninstall and remove data").press("Enter");
    await end("uninstall");
    await page.locator("header").getByText("Not installed", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Apps", exact: true }).click();
    await page.locator(".app", { hasText: "Keeper" }).getByText("Not installed").waitFor();
    await page.getByTitle("More of Demo Notes").press("Enter");
    await button("Stop: Demo Notes").waitFor();
    await expectFine(screen, "what can be done with an app in the catalog");
  });

  it("goes back to before an upgrade that left it crashed, by the decision alone, and leads to that task", async () => {
    await served.control("release", "demo-notes");
    for (let starts = 0; starts < 2; starts += 1) await served.control("arm", "app-crashed");
    const { id } = await served.engine.upgrade("demo-notes");
    expect(await served.engine.settled(id)).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_APP_NOT_RUNNING" },
    });
    const screen = await served.open(`/activity/${id}`);
    const { page } = screen;
    await page.locator("slip-asked").getByRole("button", { name: "Roll back" }).click();
    const question = page.getByRole("group", { name: "Take the app back to before the upgrade?" });
    await question.waitFor();
    await expectFine(screen, "a rollback asked about");
    await question.getByRole("button", { name: "Roll back" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/activity/") && !url.pathname.endsWith(id));
    const rollback = decodeURIComponent(page.url().split("/").at(-1) ?? "");
    expect(await served.engine.settled(rollback)).toMatchObject({ kind: "rollback", state: "COMPLETED" });
    expect(await served.engine.settled(id)).toMatchObject({ state: "DISMISSED" });
    await page.goto(`${served.server.url}/apps/demo-notes`);
    await page.getByRole("link", { name: "Roll back: Demo Notes" }).click();
    // The newest is what the upgrade had come to: to a version above there is no way back.
    await page.getByText("There is no way back").waitFor();
    await page.getByRole("radio", { name: "Before: Upgrade" }).check();
    await page.getByText("Its version stays.").waitFor();
    await expectFine(screen, "what can be gone back to after a rollback");
  });

  it("says how old it is while the host is away", async () => {
    const screen = await show("demo-notes");
    await screen.page.locator("header").getByText("Running", { exact: true }).waitFor();
    process.kill(served.standin.pid, "SIGKILL");
    await expect
      .poll(async () => {
        const app: unknown = await (await served.api("/apps/demo-notes")).json();
        return typeof app === "object" && app !== null && "lastKnown" in app;
      })
      .toBe(true);
    const away = await show("demo-notes");
    await away.page.getByText("The appliance does not answer.").waitFor();
    await away.page.locator(".why", { hasText: "the storage host does not answer" }).waitFor();
    await expectFine(away, "the host is away");
  });
});
