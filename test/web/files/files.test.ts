import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFine, type Screen } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const HOSTILE = [
  "<script>alert(1)<img src=x onerror=alert(2)>.mkv",
  "\u202egnp.exe.mkv",
  "line\nbreak\u001b[31m.mkv",
  `${"w".repeat(251)}.mkv`,
  '%2e%2e%2fquoted".mkv',
];

const entry = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
/** What a browser says of an answer that is a refusal, which is the answer wanted here. */
const forgive = ({ faults }: Screen, status: number) => {
  const told = faults.splice(0);
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter((fault) => !fault.includes(`status of ${status}`))).toEqual([]);
};

describe("the file browser", () => {
  let served: ServedPage;
  let media = "";
  const local = (name: string) => join(served.localPath(media), name);
  const open = (path: string) => served.open(`/files${path}`);
  beforeAll(async () => {
    served = await servePage();
    const { id } = await served.engine.install("demo-media");
    expect((await served.engine.settled(id)).state).toBe("COMPLETED");
    media = (await served.engine.files({})).entries.find(({ name }) => name === "Media")?.path ?? "";
    mkdirSync(local("films"));
    for (const name of ["a.mkv", "b.mkv", "c.mkv", "d.mkv", "e.mkv", "notes.txt"]) writeFileSync(local(name), name);
    symlinkSync("/etc/passwd", local("outside.mkv"));
    symlinkSync("/etc", local("etc"));
    mkdirSync(local("hostile"));
    for (const name of HOSTILE) writeFileSync(join(local("hostile"), name), "");
  });
  afterAll(() => served?.close());

  it("goes from the locations down and up again, by addresses of the page", async () => {
    const screen = await open("");
    const { page } = screen;
    await page.getByRole("link", { name: "Media", exact: true }).click();
    await entry(page, "a.mkv").waitFor();
    await expectFine(screen, "folder");
    await page.getByRole("link", { name: "films" }).click();
    await page.getByText("This folder is empty.").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/files${media}/films`);
    await expectFine(screen, "empty folder");
    await page.getByRole("navigation", { name: "Folders above" }).getByRole("link", { name: "Media" }).click();
    await entry(page, "a.mkv").waitFor();
  });

  it("selects one, a range and all that is shown, and says what takes them and what does not", async () => {
    const screen = await open(media);
    const { page } = screen;
    const action = page.getByRole("button", { name: "Add to the library (Demo Media)" });
    await entry(page, "a.mkv").click();
    await action.waitFor();
    expect(await action.isEnabled()).toBe(true);
    await entry(page, "d.mkv").click({ modifiers: ["Shift"] });
    await page.getByRole("heading", { name: "4 selected" }).waitFor();
    await expectFine(screen, "selection");
    await entry(page, "d.mkv").press("Shift+ArrowDown");
    await page.getByRole("heading", { name: "5 selected" }).waitFor();
    // It takes four at most.
    await expect.poll(() => action.isDisabled()).toBe(true);
    await page.getByLabel("Select all that is shown").click();
    await page.getByRole("heading", { name: "8 selected" }).waitFor();
    await page.getByText("No installed app takes what is selected.").waitFor();
    await page.getByRole("button", { name: "Select nothing" }).click();
    await entry(page, "outside.mkv").click();
    // A link that leads out is shown disabled, with the reason.
    await action.waitFor();
    expect(await action.isDisabled()).toBe(true);
    expect(await page.locator("#why-0").textContent()).toMatch(/outside\.mkv/);
    await expectFine(screen, "refused link");
  });

  it("refuses ways out in words: with dots, by a link, and elsewhere on the host", async () => {
    for (const path of [`${media}/..%2f..%2fetc`, `${media}/etc`, "/etc"]) {
      const screen = await open(path);
      await screen.page.getByRole("alert").getByText("FILE_OUTSIDE").waitFor();
      forgive(screen, 422);
      await expectFine(screen, path);
      expect(await screen.page.getByText("passwd").count()).toBe(0);
    }
    const screen = await open(`${media}/never`);
    await screen.page.getByRole("alert").getByText("FILE_UNKNOWN").waitFor();
    forgive(screen, 404);
  });

  it("shows hostile names as the text they are, whatever their length", async () => {
    const screen = await open(`${media}/hostile`);
    const { page } = screen;
    await entry(page, HOSTILE[0] ?? "").waitFor();
    const labels = await page.locator("slip-files-view .entries bdi").allTextContents();
    expect(labels.toSorted()).toEqual(
      [
        "<script>alert(1)<img src=x onerror=alert(2)>.mkv",
        "<U+202E>gnp.exe.mkv",
        "line␊break␛[31m.mkv",
        `${"w".repeat(251)}.mkv`,
        '%2e%2e%2fquoted".mkv',
      ].toSorted(),
    );
    await page.getByLabel("Select all that is shown").click();
    await page.getByRole("heading", { name: "5 selected" }).waitFor();
    await expectFine(screen, "hostile names");
  });

  it("runs an action on what is selected", async () => {
    const { page } = await open(media);
    await entry(page, "a.mkv").click();
    await entry(page, "b.mkv").click();
    await page.getByRole("button", { name: "Add to the library (Demo Media)" }).click();
    await page.waitForURL(/\/activity\//);
    const [task] = await served.engine.tasks();
    expect(task).toMatchObject({ appId: "demo-media", hookId: "import-video" });
    expect(page.url()).toContain(task?.id ?? "no task");
  });

  it("shows a page of many entries at a time, and keeps what was selected over pages", async () => {
    mkdirSync(local("many"));
    for (let at = 0; at < 20_000; at += 1) {
      writeFileSync(join(local("many"), `${String(at).padStart(6, "0")}.txt`), "");
    }
    const screen = await open("");
    const { page } = screen;
    const read: number[] = [];
    page.on("response", async (response) => {
      const { pathname, search } = new URL(response.url());
      if (pathname === "/api/files" && search !== "") read.push((await response.json()).entries.length);
    });
    await page.goto(`${served.server.url}/files${media}/many`);
    await entry(page, "000000.txt").click();
    await page.getByRole("button", { name: "Next page" }).click();
    await entry(page, "000200.txt").click();
    await page.getByRole("heading", { name: "2 selected" }).waitFor();
    expect(await page.locator("slip-files-view .entries li").count()).toBe(200);
    await page.getByRole("button", { name: "Previous page" }).click();
    await expect.poll(() => entry(page, "000000.txt").isChecked()).toBe(true);
    await expect.poll(() => read).toEqual([200, 200, 200]);
    // A dozen for an entry at most.
    expect(await page.locator("slip-files-view *").count()).toBeLessThan(200 * 12);
    await expectFine(screen, "a page of many");
  });
});
