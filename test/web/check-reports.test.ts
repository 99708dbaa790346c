/** The reports of a check of hostile apps, read by what reads such files: Chromium's parsers of HTML and XML, and the schema of SARIF. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEVELS } from "../../src/check/levels/levels.ts";
import { toHtml } from "../../src/check/reports/html.ts";
import type { CheckResult } from "../../src/check/reports/json.ts";
import { toJunit } from "../../src/check/reports/junit.ts";
import { toCheckSarif } from "../../src/check/reports/sarif.ts";
import { playApp } from "../support/check/play.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";
import { startChromium } from "./support/chromium.ts";

/** Closes whatever it could stand in, and asks for something from outside. */
const HOSTILE = `"'</title></style></script>]]>--><img src="http://127.0.0.1:1/x" onerror="document.title='run'"><script>document.title='run'</script>&amp;\u0000\u001b[31m\uffff`;
/** As it is shown: what steers a terminal or is in no XML is replaced. */
const SHOWN = HOSTILE.replace("\u0000", "␀").replace("\u001b", "␛").replace("\uffff", "\ufffd");
/** As a script says it: what acts unseen is left out. */
const SAID = SHOWN.replace(/[␀␛]/g, "");
/** What a file can be called. */
const NAME = "<script>document.title='run'<&\"'";

/** For the file, as what is read is made once. */
const folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
let browser: Browser;
let page: Page;
const asked: string[] = [];
let result: CheckResult;

beforeAll(async () => {
  browser = await startChromium();
  page = await browser.newPage();
  page.on("request", (request) => asked.push(request.url()));
  write(`${NAME}.json`, `{"${HOSTILE.replaceAll('"', '\\"')}`);
  const fails = `export async function run(ctx) { ctx.fail(${JSON.stringify(HOSTILE)}); }`;
  const script = {
    requirements: { locations: [], ports: [30111] },
    app_values: { network: { web_port: { bind_mode: "published", port_number: 30111 } } },
    hooks: [rawHook({ title: HOSTILE, events: ["onAfterInstall"], rerun: undefined, scriptContent: fails })],
  };
  write("evil.json", rawScript(script));
  mkdirSync(join(folder, "standin"));
  write("standin/evil.json", [{ method: "GET", path: `/${HOSTILE}` }]);
  write("good.json", rawScript());
  const apps = [];
  for (const appId of [NAME, "evil", "good"]) apps.push(await playApp(folder, appId, 4));
  result = { catalog: folder, level: 4, apps };
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

it("the apps stopped where they should, with the hostile text in what was found", () => {
  expect(result.apps.map(({ level }) => level)).toEqual([0, 3, 4]);
  expect(JSON.stringify(result.apps[1]?.levels.at(-1)?.findings)).toContain("<script>");
});

describe("the HTML report", () => {
  it("stands alone: it loads nothing, runs nothing, and shows hostile texts as they are", async () => {
    const html = toHtml(result, LEVELS);
    await page.goto(pathToFileURL(write("report.html", html)).href);
    expect(await page.title()).toBe("3 apps, 1 at level 4 or above");
    expect(asked).toEqual([page.url()]);
    const seen = await page.evaluate(() => ({
      foreign: document.querySelectorAll("script, img, link, iframe, object, embed, form, base, [onerror]").length,
      policy: document.querySelector("meta[http-equiv='Content-Security-Policy']")?.getAttribute("content"),
      text: document.body.textContent,
      linked: [...document.querySelectorAll("a")].map((link) => document.querySelector(link.hash)?.textContent),
    }));
    expect(seen.foreign).toBe(0);
    expect(seen.policy).toBe("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
    expect(seen.text).toContain(SHOWN);
    expect(seen.linked).toEqual([NAME, "evil", "good"]);
  });

  it("would be held by its policy where a text got out of its place", async () => {
    const broken = toHtml(result, LEVELS).replace("</body>", "<script>document.title='run'</script></body>");
    await page.goto(pathToFileURL(write("broken.html", broken)).href);
    expect(await page.title()).not.toBe("run");
  });

  it("has a timeline of each run, its parts within what they are a part of", async () => {
    const runs = result.apps[1]?.levels.at(-1)?.runs ?? [];
    const [install, hook] = runs;
    expect(runs).toMatchObject([
      { depth: 0 },
      { depth: 1, state: "SKIPPED", name: expect.stringContaining("<script>") },
    ]);
    expect(hook?.from).toBeGreaterThanOrEqual(install?.from ?? Number.POSITIVE_INFINITY);
    await page.setContent(toHtml(result, LEVELS));
    const bars = await page.evaluate(() =>
      [...document.querySelectorAll(".time")].map((time) =>
        [...time.querySelectorAll("i")].map((bar) => [bar.offsetLeft, bar.offsetWidth].every((px) => px >= 0)),
      ),
    );
    // level 3 of two apps, and level 4 of the one with a hook
    expect(bars).toEqual([[true], [true, true], [true]]);
  });
});

/** Elements of the usual JUnit XML: what each may have in it, its required attributes, and those it may have. */
const JUNIT: Readonly<Record<string, readonly [children: string, required: string, allowed: string]>> = {
  testsuites: ["testsuite", "", "name tests failures errors time"],
  testsuite: ["testcase", "name tests failures errors time", "skipped"],
  testcase: ["failure skipped", "name classname", "time"],
  failure: ["", "type message", ""],
  skipped: ["", "", "message"],
};

it("the JUnit report is XML of the usual shape, whose counts are those of its cases", async () => {
  const elements = await page.evaluate(
    (xml) => {
      const document = new DOMParser().parseFromString(xml, "text/xml");
      return [...document.querySelectorAll("*")].map((one) => ({
        name: one.nodeName,
        parent: one.parentNode?.nodeName ?? "",
        attributes: Object.fromEntries([...one.attributes].map(({ name, value }) => [name, value])),
        text: one.textContent,
        failures: one.querySelectorAll("failure").length,
        skipped: one.querySelectorAll("skipped").length,
        tests: one.querySelectorAll("testcase").length,
      }));
    },
    toJunit(result, LEVELS.slice(0, 4)),
  );
  expect(elements[0]).toMatchObject({ name: "testsuites", parent: "#document" });
  for (const { name, parent, attributes, ...counted } of elements) {
    const [, required = "", allowed = ""] = JUNIT[name] ?? [];
    const names = Object.keys(attributes);
    if (parent !== "#document") expect(JUNIT[parent]?.[0].split(" ")).toContain(name);
    expect(names).toEqual(expect.arrayContaining(required.split(" ").filter(Boolean)));
    expect(`${required} ${allowed}`.split(" ")).toEqual(expect.arrayContaining(names));
    for (const count of ["tests", "failures", "skipped"] as const)
      if (attributes[count] !== undefined) expect([name, Number(attributes[count])]).toEqual([name, counted[count]]);
    if (attributes["time"] !== undefined) expect(attributes["time"]).toMatch(/^\d+\.\d{3}$/);
  }
  const failures = elements.filter(({ name }) => name === "failure");
  expect(failures.map(({ attributes }) => attributes["type"])).toEqual(["SCRIPT_JSON_SYNTAX", "CHECK_HOOK_FAILED"]);
  expect(failures[1]?.text).toContain(SAID);
  expect(elements.filter(({ name }) => name === "testsuite").map(({ attributes }) => attributes["name"])).toEqual([
    NAME,
    "evil",
    "good",
  ]);
});

it("the SARIF report is a 2.1.0 log with a result for every finding, each in its file", () => {
  const log = toCheckSarif(result);
  const schema = readFileSync("test/fixtures/schema/sarif-2.1.0-used-part.json", "utf8");
  const valid = new Ajv({ strict: true, allErrors: true }).compile(JSON.parse(schema));
  expect(valid(log), JSON.stringify(valid.errors)).toBe(true);
  const results = log.runs[0]?.results ?? [];
  const found = result.apps.flatMap(({ levels }) => levels.flatMap(({ findings }) => findings));
  expect(results.map(({ ruleId }) => ruleId)).toEqual(found.map(({ code }) => code));
  expect(results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toContain(encodeURIComponent(`${NAME}.json`));
});
