import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameFocused, openDialog, waitTold } from "../support/dialog-page.ts";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const CATALOG = fileURLToPath(new URL("../fixtures/dialog", import.meta.url));

describe("the install dialog in a browser", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ catalog: CATALOG });
    const installed = await served.engine.install("media");
    await served.engine.settled(installed.id);
  });
  afterAll(() => served?.close());

  it("copies a password where browsers have no clipboard interface, as on plain http", async () => {
    const { page } = await openDialog(served, "slip-install", { app: "notes" });
    await page.evaluate(() => Object.defineProperty(window, "isSecureContext", { value: false }));
    const password = await page.getByLabel("Administrator's password").inputValue();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    await page.getByLabel("Administrator", { exact: true }).focus();
    await page.keyboard.press("Control+V");
    expect(await page.getByLabel("Administrator", { exact: true }).inputValue()).toBe(password);
  });

  it("tells the page around nothing of what is typed", async () => {
    const { page } = await openDialog(served, "slip-install", { app: "notes" });
    await page.evaluate(() => {
      const tell = EventTarget.prototype.dispatchEvent;
      EventTarget.prototype.dispatchEvent = function (event) {
        document.addEventListener(event.type, () => window.told.push({ name: event.type }), { once: true });
        return tell.call(this, event);
      };
    });
    await page.getByLabel("Administrator's password").fill("correct horse battery staple");
    await page.getByRole("button", { name: "Make another one" }).click();
    expect(await page.evaluate(() => window.told)).toEqual([]);
  });

  it("installs by the dialog alone: steps, a refused answer, a closed gate, a missing target", async () => {
    const screen = await openDialog(served, "slip-install", { app: "photos" });
    const { page } = screen;
    await page.getByLabel("Owner's name").waitFor();
    await expectFine(screen, "questions");

    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("An answer is needed here.").waitFor();
    await expect.poll(() => nameFocused(page)).toBe("Owner's name");
    await expectFine(screen, "a refused answer");

    const generated = await page.getByLabel("Owner's password").inputValue();
    expect(generated).toMatch(/^[A-Za-z0-9]{20}$/);
    await page.getByRole("button", { name: "Make another one" }).click();
    const password = await page.getByLabel("Owner's password").inputValue();
    expect(password).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(password).not.toBe(generated);

    // From here on by the keyboard: Enter goes on.
    await page.getByLabel("Owner's name").focus();
    await page.keyboard.type("ada");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Previews" }).waitFor();
    const rail = page.getByRole("navigation", { name: "Sections" }).getByRole("button");
    expect(await rail.allTextContents().then((titles) => titles.map((title) => title.trim()))).toEqual([
      "General",
      "Previews",
      "Recognition",
    ]);
    await expectFine(screen, "a rail");
    await page.getByLabel("Longest edge in pixels").focus();
    await page.keyboard.press("Enter");

    await page.getByText("What will happen").waitFor();
    await page.getByText("Show albums in Media (Media)").waitFor();
    expect(await page.getByText("Link with your installed apps").count()).toBe(0);
    await expectFine(screen, "review");

    await page.getByText("Customize Install (9 options available)").click();
    await page.getByText("Link with your installed apps").waitFor();
    const albums = page.getByRole("checkbox", { name: "Show albums in Media" });
    expect(await albums.isChecked()).toBe(true);
    await page.getByRole("checkbox", { name: "Create the owner's account" }).click();
    await page.getByText("Needs “Create the owner's account”").waitFor();
    expect(await albums.isDisabled()).toBe(true);
    expect(await page.getByRole("checkbox", { name: "Print pictures" }).isDisabled()).toBe(true);
    await page.getByText("Not installed, and in no catalog").waitFor();
    expect(await page.getByRole("link", { name: "Read the terms" }).getAttribute("rel")).toBe("noopener noreferrer");

    await page.getByRole("checkbox", { name: "Install and Connect to Notes" }).click();
    await page.getByLabel("Administrator", { exact: true }).waitFor();
    await page.getByText("Installs Notes as well").waitFor();
    await expectFine(screen, "customized");
    expect(await page.getByText("An answer is needed here.").count()).toBe(0);

    await page.getByRole("button", { name: "Install", exact: true }).click();
    await expect.poll(() => nameFocused(page)).toBe("Administrator");
    await page.getByText("Notes, Administrator").waitFor();
    await page.keyboard.type("root");
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const taskId = await waitTold(page, "slip-started");
    await waitTold(page, "slip-closed");
    expect(screen.faults).toEqual([]);
    expect(await nameFocused(page)).toBe("Open");

    const task = await served.engine.settled(taskId ?? "");
    expect(task.state).toBe("COMPLETED");
    expect(task.children.map(({ kind, appId, hookId }) => [kind, appId, hookId])).toEqual([
      ["install", "notes", undefined],
      ["link", "photos", "notes"],
    ]);
    const kept = await served.engine.revealAnswer("photos", "password");
    expect(kept.value).toBe(password);
  });

  it("keeps what was typed over a lost connection and over its own closing", async () => {
    const { page } = await openDialog(served, "slip-install", { app: "notes" });
    const name = page.getByLabel("Administrator", { exact: true });
    await name.waitFor();
    await page.context().setOffline(true);
    await name.fill("root");
    await page.getByText("The engine can't be reached. Nothing you typed is lost.").waitFor();
    expect(await name.inputValue()).toBe("root");
    await page.context().setOffline(false);
    await page.getByText("The engine can't be reached.").waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("root");
    await page.keyboard.press("Escape");
    await waitTold(page, "slip-closed");
    expect(await nameFocused(page)).toBe("Open");
    await page.evaluate(() => {
      const again = document.createElement("slip-install");
      again.setAttribute("app", "notes");
      document.body.append(again);
    });
    await expect.poll(() => name.inputValue()).toBe("root");
  });

  it("names the task that is in the way", async () => {
    const { id } = await served.engine.install("greeter");
    const { page } = await openDialog(served, "slip-install", { app: "greeter" });
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByRole("button", { name: "Show what is running" }).click();
    expect(await waitTold(page, "slip-open-task")).toBe(id);
    await served.engine.cancel(id);
  });

  it("says in an owner's words what is missing, and installs the rest", async () => {
    const { page } = await openDialog(served, "slip-install", { app: "broken" });
    await page.getByText(/comes without 1 step: its script has mistakes/).waitFor();
    const missing = page.locator("details.missing");
    expect(await missing.getAttribute("open")).toBeNull();
    expect(await missing.locator("li").count()).toBeGreaterThan(0);
    expect(await page.locator(".problem").count()).toBe(0);
    // Without links there is nothing to customize: what may be left out is asked openly.
    expect(await page.getByText("Customize Install").count()).toBe(0);
    await page.getByText("Runs “Accept the terms”").waitFor();
    await page.getByRole("checkbox", { name: "Accept the terms" }).click();
    await page.getByText("Runs “Accept the terms”").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const taskId = await waitTold(page, "slip-started");
    expect(await served.engine.settled(taskId ?? "")).toMatchObject({ state: "COMPLETED" });
  });
});
