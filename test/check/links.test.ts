/** Level 8: links between the apps of a catalog. */
import { expect, it } from "vitest";
import { LINKS } from "../../src/check/levels/links.ts";
import { onPort, rawApp, rawInstallHook } from "../support/check/apps.ts";
import { playLevel } from "../support/check/play.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

/** Tells both apps of each other. */
const CONNECT = `export async function run(ctx) {
  const other = await ctx.getInstalledAppUrl("other");
  if (other === null) ctx.fail("Other is not there");
  for (const url of [other, ctx.baseUrl]) {
    const answer = await fetch(url + "/api/links", { method: "PUT" });
    if (!answer.ok) ctx.fail("Refused");
  }
}`;

const ROWS = [{ method: "PUT", path: "/api/links", status: 204 }];

const link = (changes: object = {}) => rawHook({ conditions: [on("other")], scriptContent: CONNECT, ...changes });

const other = (changes: object = {}) =>
  rawApp({
    requirements: { locations: ["Media"], ports: [30112] },
    ensure_directories_exists: [{ path: "$LOCATION(Media)/other" }],
    ...onPort(30112),
    ...changes,
  });

async function play(hooks: readonly object[], others: Readonly<Record<string, object>> = { other: other() }, app = {}) {
  folder.write("app.json", rawApp({ hooks, ...app }));
  folder.write("standin/app.json", ROWS);
  for (const [id, script] of Object.entries(others)) {
    folder.write(`${id}.json`, script);
    folder.write(`standin/${id}.json`, ROWS);
  }
  const { findings, coverage } = await playLevel(LINKS, folder.path, "app");
  return {
    found: findings.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`),
    coverage,
    findings,
  };
}

it("holds for links that are made whichever app is first, on a card or without, and for what others declare", async () => {
  const incoming = rawHook({ conditions: [on("app")], scriptContent: "export async function run() {}" });
  const { found, coverage } = await play([link(), link({ id: "picked", surfaces: ["installPicker"] })], {
    other: other({ hooks: [incoming] }),
  });
  expect(found).toEqual([]);
  expect(coverage).toEqual([{ of: "links", reached: 3, all: 3, missed: [] }]);
});

it("does not hold where a link fails because its app was installed first, or ends before its checkpoints", async () => {
  const port = onPort("$IF($APP_INSTALLED(other), 30111, 30113)");
  const script = CONNECT.replace("ctx.baseUrl]", '"http://" + ctx.host + ":30111"]').replace(
    '{ method: "PUT" })',
    '{ method: "PUT" }).catch(() => ctx.fail("Nobody is there"))',
  );
  const open = `export async function run(ctx) { await ctx.registerCheckpoints([{ id: "done", message: "Connecting" }]); }`;
  const { findings } = await play(
    [link({ scriptContent: script }), link({ id: "open", scriptContent: open })],
    undefined,
    port,
  );
  expect(findings).toEqual([
    expect.objectContaining({
      code: "CHECK_LINK_FAILED",
      path: ["hooks", 0],
      message:
        'the link "connect" of "app" fails where its app is installed first, and a person connects it later: TASK_HOOK_FAILED: Nobody is there',
      hint: expect.stringContaining("which of the apps came first"),
    }),
    expect.objectContaining({
      path: ["hooks", 1],
      message: expect.stringMatching(/did not come to its checkpoint "done" \(Connecting\)$/),
    }),
  ]);
  expect(findings[0]?.line).toBeGreaterThan(0);
});

it("does not hold where another app's fake has no row for what the link asks it", async () => {
  const script = CONNECT.replace("const answer", 'await fetch(other + "/api/version");\n    const answer');
  const { findings } = await play([link({ scriptContent: script })]);
  expect(findings[0]).toMatchObject({
    code: "CHECK_REQUEST_UNANSWERED",
    file: "standin/other.json",
    message: "GET /api/version has no row in the fake",
  });
});

it("tells of links that can't be played, and of those of other apps that fail, and holds", async () => {
  const fails = rawHook({
    conditions: [on("app")],
    scriptContent: 'export async function run(ctx) { ctx.fail("No"); }',
  });
  const nobody = [{ path: "$LOCATION(Media)/stuck", owner: { user: "nobody-here" } }];
  const { found, coverage } = await play(
    [
      link({ id: "nowhere", conditions: [on("elsewhere")] }),
      link({ id: "never", conditions: [on("other"), { ...on("other"), type: "appVersion", range: ">=1.0.0" }] }),
      link({ id: "to-stuck", conditions: [on("stuck")] }),
    ],
    { other: other({ hooks: [fails] }), stuck: other({ ensure_directories_exists: nobody }) },
  );
  expect(found).toEqual([]);
  expect(coverage).toEqual([
    {
      of: "links",
      reached: 0,
      all: 4,
      missed: [
        'link "nowhere" of "app": "elsewhere" can\'t be installed from this catalog',
        expect.stringMatching(/^link "never" of "app": .*"appVersion" can't be checked yet$/),
        expect.stringMatching(/^link "to-stuck" of "app": "stuck" can't be installed: .*nobody-here/),
        expect.stringMatching(/^the link "connect" of "other" fails where .*: No$/),
      ],
    },
  ]);
});

it("does not hold where a hook fails for want of a consent it does not require", async () => {
  const input = {
    type: "question",
    id: "token",
    question: { question: "?", type: "text", key: "token", default: "t" },
  };
  const account = rawInstallHook("export async function run() {}", {
    id: "account",
    userOptional: { default: true },
    inputs: [input],
  });
  const needs = "export async function run(ctx) { if (ctx.inputs.token === undefined) ctx.fail('No account'); }";
  const hooks = (requiresHooks: readonly string[]) => [
    account,
    rawInstallHook(needs, { id: "library", requiresHooks }),
    link({ requiresHooks: ["account"] }),
  ];
  expect((await play(hooks(["account"]))).found).toEqual([]);
  expect((await play(hooks([]))).found).toEqual([
    'CHECK_CONSENT_NEEDED hooks.1: without the consent "account" the hook "library" fails: TASK_HOOK_FAILED: No account',
  ]);
});
