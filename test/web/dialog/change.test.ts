import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../support/engine/engine-world.ts";
import { nameFocused, openAnother, openDialog, readEverything, waitTold } from "../support/dialog-page.ts";
import { type Provider, startProvider } from "../support/provider.ts";
import { expectFine, listFaults, type Screen } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const CATALOG = fileURLToPath(new URL("../fixtures/dialog", import.meta.url));
const DATASET = "tank/ApplicationsPerformance/photos/data";
const PHOTOS_DATA = `/mnt/${DATASET}`;
const FILMS_DATA = "/mnt/tank/ApplicationsPerformance/films";
/** Has a directory whose name is written in the other direction, and one that is shared. */
const FILMS = {
  metadata: { name: "Films", description: "Shows films", icon: "https://example.org/icon.png", version: "1.0.0" },
  requirements: { locations: ["ApplicationsPerformance", "Movies"] },
  ensure_directories_exists: [
    { path: "$LOCATION(ApplicationsPerformance)/films/\u202eaidem" },
    { path: "$LOCATION(Movies)", network_share: true },
  ],
};
const SECRET = "marker-4711-of-the-maps";
const TOKEN = "marker-4712-of-the-cloud";

/** Fine, apart from the line the browser itself writes about a refusal. */
async function expectFineBut(screen: Screen, name: string, status: number): Promise<void> {
  const faults = await listFaults(screen, name);
  expect(faults.filter((fault) => !fault.includes(`status of ${status}`))).toEqual([]);
}

describe("dialogs of installed apps in a browser", () => {
  const catalog = mkdtempSync(join(tmpdir(), "slipway-dialogs-"));
  let provider: Provider;
  let served: ServedPage;

  beforeAll(async () => {
    provider = await startProvider();
    provider.account.token = TOKEN;
    cpSync(CATALOG, catalog, { recursive: true });
    const cloud = join(catalog, "cloud.json");
    writeFileSync(cloud, readFileSync(cloud, "utf8").replaceAll("http://127.0.0.1:1/", `${provider.url}/`));
    const media = JSON.parse(readFileSync(join(catalog, "media.json"), "utf8"));
    writeFileSync(join(catalog, "films.json"), JSON.stringify({ ...media, ...FILMS }));
    served = await servePage({ catalog, production: false });
    // What is known of it is kept for a minute, from the first install on.
    await served.control("arm", "registry-unreachable*1000");
    for (const [app, answers] of [
      ["photos", { owner: "ada", maps_key: SECRET }],
      ["cloud", {}],
      ["films", {}],
    ] as const) {
      const { id } = await served.engine.install(app, { answers });
      expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
    }
  });
  afterAll(async () => {
    await served?.close();
    await provider?.close();
    rmSync(catalog, { recursive: true, force: true });
  });

  it("change options on one screen, with the differences first, and never see a stored secret", async () => {
    const bodies: Promise<string>[] = [];
    const screen = await served.open("/");
    const { page } = screen;
    page.on("response", (response) => bodies.push(response.text().catch(() => "")));
    await openAnother(page, "slip-options", { app: "photos" });
    await page.getByLabel("Owner's name").waitFor();
    await page.getByText("Nothing changes.").waitFor();
    // Asked on the first boot only.
    expect(await page.getByLabel("Owner's password").count()).toBe(0);
    expect(await page.getByLabel("Key of the maps").getAttribute("placeholder")).toBe("Kept unless you change it");

    await page.getByLabel("Longest edge in pixels").fill("wide");
    await page.getByText("A number is needed here.").waitFor();
    await expectFine(screen, "a refused option");
    await page.getByLabel("Longest edge in pixels").fill("900");
    await page.getByText("photos › edge").waitFor();
    await expectFine(screen, "differences");
    expect((await Promise.all(bodies)).join("\n")).toContain('"differences"');
    expect(await readEverything(page)).toContain("photos › edge");
    for (const seen of [...(await Promise.all(bodies)), await readEverything(page)]) expect(seen).not.toContain(SECRET);

    await page.getByRole("button", { name: "Apply" }).click();
    const taskId = await waitTold(page, "slip-started");
    expect(await served.engine.settled(taskId ?? "")).toMatchObject({ kind: "update", state: "COMPLETED" });
    await openAnother(page, "slip-options", { app: "photos" });
    await expect.poll(() => page.getByLabel("Longest edge in pixels").inputValue()).toBe("900");
    expect((await served.engine.revealAnswer("photos", "maps_key")).value).toBe(SECRET);
    expect(screen.faults).toEqual([]);
  });

  it("change a stored secret without showing either", async () => {
    const { page } = await openDialog(served, "slip-options", { app: "photos" });
    await page.getByLabel("Key of the maps").fill("another-key-of-the-maps");
    await page.getByText("another secret value").first().waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await waitTold(page, "slip-closed");
    // Cancelled is forgotten.
    await openAnother(page, "slip-options", { app: "photos" });
    await page.getByText("Nothing changes.").waitFor();
    expect(await page.getByLabel("Key of the maps").inputValue()).toBe("");
  });

  it("show a stored password on a press, and only until the keyboard goes elsewhere or something is typed", async () => {
    const screen = await openDialog(served, "slip-options", { app: "photos" });
    const { page } = screen;
    const show = page.getByRole("button", { name: "Show", exact: true });
    await show.click();
    await page.getByText(SECRET).waitFor();
    expect((await readEverything(page)).split("\n").filter((text) => text.includes(SECRET))).toEqual([SECRET]);
    await expectFine(screen, "a stored password");
    await page.keyboard.press("Tab");
    expect(await nameFocused(page)).toBe("");
    await page.getByText(SECRET).waitFor();
    await page.keyboard.press("Tab");
    await page.getByText(SECRET).waitFor({ state: "detached" });
    await show.click();
    await page.getByText(SECRET).waitFor();
    // Plain http; and a browser that takes the keyboard from a button where another is pressed.
    await page.evaluate(() => {
      Object.defineProperty(window, "isSecureContext", { value: false });
      addEventListener("mousedown", (event) => {
        const pressed = event.composedPath()[0];
        if (!event.defaultPrevented && pressed instanceof Node) {
          const root = pressed.getRootNode();
          if (root instanceof ShadowRoot && root.activeElement instanceof HTMLElement) root.activeElement.blur();
        }
      });
    });
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("Copied.").waitFor();
    await page.getByText(SECRET).waitFor();
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    expect(await readEverything(page)).not.toContain(SECRET);

    // The answer comes when something else was typed.
    let answer = () => {};
    await page.route("**/reveal", (route) => {
      answer = () => void route.continue().catch(() => {});
    });
    const isAsked = page.waitForRequest("**/reveal");
    await show.click();
    await isAsked;
    await page.getByLabel("Key of the maps").fill("typed-meanwhile");
    answer();
    await page.getByText("another secret value").first().waitFor();
    expect(await page.getByLabel("Key of the maps").inputValue()).toBe("typed-meanwhile");
    expect(await readEverything(page)).not.toContain(SECRET);
    await page.getByRole("button", { name: "Cancel" }).click();
    await waitTold(page, "slip-closed");
    expect(screen.faults).toEqual([]);
  });

  it("show and uninstall the app they name, where it is another by now", async () => {
    const screen = await openDialog(served, "slip-uninstall", { app: "photos" });
    const { page } = screen;
    await page.getByRole("heading", { name: "Uninstall Photos" }).waitFor();
    await page.getByLabel("Remove its data").check();
    await page.locator("slip-uninstall").evaluate((element) => element.setAttribute("app", "films"));
    await page.getByRole("heading", { name: "Uninstall Films" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "/mnt/tank/Movies stays shared as Movies" }).waitFor();
    await page.getByRole("button", { name: "Uninstall", exact: true }).waitFor();
    await page.getByText(`${FILMS_DATA}/<U+202E>aidem`, { exact: true }).waitFor();
    expect(screen.faults).toEqual([]);
  });

  it("keep what lies in a locked dataset, and go by a look of before it was unlocked", async () => {
    const lock = (isLocked: boolean) => served.control("setLocked", DATASET, isLocked);
    await lock(true);
    const screen = await openDialog(served, "slip-uninstall", { app: "photos" });
    const { page } = screen;
    await page.getByLabel("Remove its data").check();
    const stays = page.getByRole("listitem").filter({ hasText: `its dataset "${DATASET}" is locked, or not mounted` });
    await stays.waitFor();
    await page.getByRole("listitem").filter({ hasText: "/mnt/tank/Photos stays shared as Photos" }).waitFor();
    await expectFine(screen, "an uninstall that leaves what is locked");
    await lock(false);
    await page.getByRole("button", { name: "Uninstall and remove data" }).click();
    await page.getByRole("alert").getByText("TASK_UNINSTALL_STALE").waitFor();
    await stays.waitFor({ state: "hidden" });
    await page.getByText(PHOTOS_DATA, { exact: true }).waitFor();
  });

  it("uninstall what they showed: not the app they are about by now, and nothing that came since", async () => {
    const write = (app: string, changes: object) => {
      const file = join(catalog, `${app}.json`);
      const script = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...script, ...changes }));
      return script;
    };
    const script = write("photos", { ensure_directories_exists: [] });
    await served.engine.syncCatalog();
    const screen = await openDialog(served, "slip-uninstall", { app: "photos" });
    const { page } = screen;
    await page.getByLabel("Remove its data").check();
    const stays = page.getByRole("listitem").filter({ hasText: "/photos/data stays: its script does not name it" });
    await stays.waitFor();
    write("photos", script);
    await served.engine.syncCatalog();
    const press = page.getByRole("button", { name: "Uninstall and remove data" });
    await press.click();
    await page.getByRole("alert").getByText("TASK_UNINSTALL_STALE").waitFor();
    await stays.waitFor({ state: "hidden" });
    await page.getByText(/\/photos\/data$/).waitFor();
    await expectFineBut(screen, "an uninstall that would remove more than was shown", 409);

    const isSent = page.waitForRequest("**/uninstall");
    await page.route("**/uninstall", (route) => route.abort());
    // Pressed before the next look of the other app is there.
    await page.locator("slip-uninstall-view").evaluate((dialog) => {
      Reflect.set(dialog, "app", "cloud");
      dialog.shadowRoot?.querySelector<HTMLElement>(".danger")?.click();
    });
    const sent = await isSent;
    expect(sent.url()).toMatch(/\/apps\/photos\/uninstall$/);
    expect(sent.postDataJSON()).toEqual({ keepData: false, removes: [expect.stringMatching(/\/photos\/data$/)] });
    await page.getByRole("heading", { name: /Uninstall .*cloud/i }).waitFor();
  });

  it("go back to what a person chooses, with what becomes of it first", async () => {
    const screen = await openDialog(served, "slip-rollback", { app: "photos" });
    const { page } = screen;
    await page.getByRole("radio", { name: "Before: Update", checked: true }).waitFor();
    for (const text of ["A snapshot of the present is taken first.", "Its version stays.", "secrets go back."])
      await page.getByText(text).waitFor();
    await page.getByText(/^goes back to .* what was written since is put aside$/).waitFor();
    await expectFine(screen, "a rollback");
    expect(await readEverything(page)).not.toContain(SECRET);
    await page.getByRole("button", { name: "Roll back" }).press("Enter");
    const taskId = await waitTold(page, "slip-started");
    expect(await served.engine.settled(taskId ?? "")).toMatchObject({ kind: "rollback", state: "COMPLETED" });

    await openAnother(page, "slip-rollback", { app: "photos" });
    await page.getByRole("radio", { name: "Before: Rollback", checked: true }).waitFor();
    await page.getByText("secrets go back.").waitFor();
    await served.control("setLocked", DATASET, true);
    await page.getByRole("radio", { name: "Before: Rollback" }).press("ArrowDown");
    await page.getByRole("radio", { name: "Before: Update", checked: true }).waitFor();
    await page.getByText(`There is no way back: "${PHOTOS_DATA}" can't be restored`).waitFor();
    expect(await page.getByRole("button", { name: "Roll back" }).isDisabled()).toBe(true);
    await expectFine(screen, "a rollback that is impossible");
    await page.keyboard.press("Escape");
    await waitTold(page, "slip-closed");
    await served.control("setLocked", DATASET, false);

    await expectGoingOnWithoutSnapshot();

    await openAnother(page, "slip-rollback", { app: "greeter" });
    await page.getByRole("alert").getByText("TASK_APP_NOT_INSTALLED").waitFor();
    await page.locator("slip-rollback").evaluate((dialog) => dialog.setAttribute("app", "cloud"));
    await page.getByText("There is nothing to go back to yet.").waitFor();
    expect(await page.getByRole("button", { name: "Roll back" }).isDisabled()).toBe(true);
    await expectFineBut(screen, "a rollback to nothing", 409);
  });

  /** Where the host can take no snapshot the rollback stops there, and a person may say to go on. */
  async function expectGoingOnWithoutSnapshot(): Promise<void> {
    // Of a pipe among the app's data the stand-in can keep no copy.
    execFileSync("mkfifo", [join(served.localPath(PHOTOS_DATA), "pipe")]);
    const stopped = await served.engine.rollback("photos");
    expect(await served.engine.settled(stopped.id)).toMatchObject({ state: "FAILED", result: { restored: [] } });
    await served.engine.dismiss(stopped.id);
    const screen = await openDialog(served, "slip-rollback", { app: "photos" });
    await screen.page.getByLabel("Go on where no snapshot of the present can be taken").check();
    await expectFine(screen, "a rollback without a snapshot");
    await screen.page.getByRole("button", { name: "Roll back" }).press("Enter");
    const taskId = await waitTold(screen.page, "slip-started");
    expect(await served.engine.settled(taskId ?? "")).toMatchObject({
      state: "COMPLETED",
      marks: expect.arrayContaining([expect.stringContaining(`notSnapshotted: ${PHOTOS_DATA}: `)]),
    });
  }

  it.each(["slip-install", "slip-options", "slip-upgrade"])(
    "%s begins anew where it is about another app",
    async (element) => {
      const screen = await openDialog(served, element, { app: "photos" });
      const { page } = screen;
      const ofPhotos = page.getByText(element === "slip-upgrade" ? "Upgrade Photos" : "Owner's name").first();
      await ofPhotos.waitFor();
      const isAsked = page.waitForRequest("**/apps/cloud/form*");
      await page.locator(element).evaluate((dialog) => dialog.setAttribute("app", "cloud"));
      await isAsked;
      await ofPhotos.waitFor({ state: "detached" });
      await page.getByRole("heading", { name: /cloud/i }).waitFor();
    },
  );

  it("show a sign-in with its address and code, and close once it is agreed", async () => {
    const { id } = await served.engine.runAction("cloud", "bring");
    const screen = await openDialog(served, "slip-inputs", { task: id });
    const { page } = screen;
    await page.getByText("K7W4").waitFor();
    const link = page.getByRole("link", { name: "Snapcloud", exact: true });
    expect(await link.getAttribute("href")).toBe("https://provider.test/auth#?clientID=slipway&code=K7W4");
    // As the browser's country writes the time.
    await page.getByText(/Until \d\d:\d\d \(in 14 minutes\)/).waitFor();
    await expectFine(screen, "a sign-in");
    await page.getByRole("button", { name: "Copy the code" }).click();
    await page.getByText("Copied.").waitFor();
    provider.account.agreed = true;
    expect(await waitTold(page, "slip-answered")).toBe(id);
    await waitTold(page, "slip-closed");
    expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
    expect(await readEverything(page)).not.toContain(TOKEN);
    expect(await nameFocused(page)).toBe("Open");
    expect(screen.faults).toEqual([]);
  });

  it("ask for a new code where nobody used the first in time", async () => {
    Object.assign(provider.account, { agreed: false, expiresIn: 0.05 });
    const { id } = await served.engine.runAction("cloud", "bring");
    const screen = await openDialog(served, "slip-inputs", { task: id });
    const { page } = screen;
    await page.getByText("The sign-in failed.").waitFor();
    await expectFine(screen, "a sign-in that failed");
    Object.assign(provider.account, { agreed: true, expiresIn: 900 });
    await page.getByRole("button", { name: "Ask for a new code" }).click();
    await waitTold(page, "slip-closed");
    expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
    expect(screen.faults).toEqual([]);
  });

  it("ask for what a hook needs, and say what is missing", async () => {
    const id = await askTitle();
    const screen = await openDialog(served, "slip-inputs", { task: id });
    const { page } = screen;
    await page.getByLabel("Title").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("An answer is needed here.").waitFor();
    await expect.poll(() => nameFocused(page)).toBe("Title");
    await expectFine(screen, "inputs");
    await page.keyboard.type("Summer");
    await page.keyboard.press("Enter");
    await waitTold(page, "slip-closed");
    expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
  });

  it("send an answer once, and none to a question that another took the place of", async () => {
    const id = await askTitle();
    const { page } = await openDialog(served, "slip-inputs", { task: id });
    await page.getByLabel("Title").fill("Autumn");
    // The page does not hear that somebody else has answered a part.
    await page.route(`**/api/tasks/${id}`, (route) => route.abort());
    const before = served.engine.task(id)?.revision;
    await served.engine.input(id, { size: 5 });
    expect(served.engine.task(id)?.revision).not.toBe(before);
    await page.getByRole("alert").getByText("can't be reached").waitFor();
    await page.unroute(`**/api/tasks/${id}`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("TASK_DECISION_STALE").waitFor();
    expect(served.engine.task(id)?.state).toBe("AWAITING_INPUT");
    await page.getByLabel("Most pictures").waitFor({ state: "detached" });

    const sent: string[] = [];
    page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())));
    await page.getByRole("button", { name: "Send" }).dblclick();
    await waitTold(page, "slip-closed");
    expect(sent).toEqual([expect.stringContaining(`/api/tasks/${id}/input?revision=`)]);
    expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
  });

  /** Runs the action that asks for a title; its id once it asks, as the dialog of a task that does not ask closes. */
  async function askTitle(): Promise<string> {
    const { id } = await served.engine.runAction("cloud", "name");
    await until(served.engine, () => served.engine.task(id)?.state === "AWAITING_INPUT");
    return id;
  }

  it.each([
    ["slip-options", { app: "photos" }, "Owner's name"],
    ["slip-upgrade", { app: "photos" }, "Upgrade Photos"],
    ["slip-inputs", {}, "Title"],
  ] as const)("%s goes on where it is moved while it asks the engine", async (element, attributes, text) => {
    const task = element === "slip-inputs" ? { task: await askTitle() } : {};
    const screen = await served.open("/");
    const { page } = screen;
    const asked = /\/api\/(apps|tasks)\/./;
    const isAsked = page.waitForRequest(asked);
    // The route stays: a browser may lose the request that comes just when its interception ends.
    let isHeld = true;
    await page.route(asked, (route) => (isHeld ? undefined : route.continue()));
    await openAnother(page, element, { ...attributes, ...task });
    await isAsked;
    isHeld = false;
    await page.evaluate((name) => {
      const place = document.createElement("section");
      document.body.append(place);
      place.append(document.querySelector(name) ?? "");
    }, element);
    await page.getByText(text).first().waitFor();
    expect(await page.locator("dialog:modal").count()).toBe(1);
    expect(screen.faults).toEqual([]);
    if (task.task !== undefined) await served.engine.cancel(task.task);
  });

  it("open by themselves for what a task begins to ask a person who looks at it, once", async () => {
    const screen = await served.open("/apps/cloud");
    const { page } = screen;
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Name the collection", exact: true }).click();
    await page.locator("slip-dialog").getByLabel("Title").waitFor();
    const [id = ""] = /[^/]+(?=\/answer)/.exec(page.url()) ?? [];
    await page.locator("slip-dialog").getByRole("button", { name: "Close" }).click();
    await page.locator("slip-dialog").waitFor({ state: "detached" });
    await served.engine.input(id, { size: 5 });
    const shown = () => page.locator("slip-asked").evaluate((asked) => Object(Reflect.get(asked, "task")).revision);
    await expect.poll(shown).toBe(served.engine.task(id)?.revision);
    expect(await page.locator("slip-dialog").count()).toBe(0);

    // Whoever types goes on typing.
    await served.engine.cancel(id);
    const search = page.getByLabel("Search");
    await search.fill("");
    const { id: next } = await served.engine.runAction("cloud", "name");
    await page.locator(`slip-activity-row`).getByRole("button", { name: "Answer: Name the collection" }).waitFor();
    await page.evaluate((path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/activity/${next}`);
    await page.locator("slip-asked").getByRole("button", { name: "Answer: Name the collection" }).waitFor();
    await page.keyboard.type("name");
    expect(await search.inputValue()).toBe("name");
    expect(await page.locator("slip-dialog").count()).toBe(0);
    await served.engine.cancel(next);
    expect(screen.faults).toEqual([]);
  });

  it("show an upgrade before it is confirmed: from and to, what is new, what runs, what changes", async () => {
    const file = join(catalog, "cloud.json");
    const script = JSON.parse(readFileSync(file, "utf8"));
    const run = "export async function run(ctx) { ctx.log('ran'); }";
    writeFileSync(
      file,
      JSON.stringify({
        ...script,
        metadata: { ...script.metadata, version: "1.1.0" },
        script: { version: "1.1.0", changeLog: "Keeps albums together" },
        app_values: { cloud: { on: false } },
        hooks: [
          ...script.hooks,
          { id: "move", title: "Move the albums", events: ["onAfterUpgrade"], scriptContent: run, entrypoint: "run" },
        ],
      }),
    );
    await served.post("/catalog/sync");
    const screen = await served.open("/");
    const { page } = screen;
    const asked: string[] = [];
    page.on("request", (request) => void (request.url().includes("mode=upgrade") && asked.push(request.url())));
    await openAnother(page, "slip-upgrade", { app: "cloud" });
    for (const text of [
      "From 1.0.0 to 1.1.0",
      "Keeps albums together",
      "Move the albums",
      "cloud › on",
      "look at the host's connection to the internet",
    ]) {
      await page.getByText(text).waitFor();
    }
    await expectFine(screen, "an upgrade");
    // The form says all a preview would; it is asked for again where the catalog or an app has changed.
    expect(asked.filter((url) => !url.includes("/form?"))).toEqual([]);
    await page.getByRole("button", { name: "Upgrade", exact: true }).click();
    const taskId = await waitTold(page, "slip-started");
    expect(await served.engine.settled(taskId ?? "")).toMatchObject({ kind: "upgrade", state: "COMPLETED" });
    expect(screen.faults).toEqual([]);
  });

  it("say why there is no upgrade", async () => {
    const { page } = await openDialog(served, "slip-upgrade", { app: "photos" });
    await page.locator(".problem").first().waitFor();
    expect(await page.getByRole("button", { name: "Upgrade", exact: true }).isDisabled()).toBe(true);
  });

  it("say kindly that the engine is about to close, as its health does", async () => {
    const left = Promise.withResolvers<void>();
    const drained = served.engine.drain({ beforeClose: () => left.promise });
    const screen = await openDialog(served, "slip-uninstall", { app: "photos" });
    const { page } = screen;
    await page.getByRole("button", { name: "Uninstall", exact: true }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("The engine is about to close and takes nothing new.").waitFor();
    await alert.getByText("TASK_ENGINE_DRAINING").waitFor();
    await expectFineBut(screen, "a press while the engine is about to close", 503);
    const health = await served.open("/health");
    await health.page.getByRole("heading", { name: "The engine is about to close" }).waitFor();
    await health.page.getByText("and takes nothing new.").waitFor();
    await expectFine(health, "an engine that is about to close");
    left.resolve();
    await drained;
  });
});
