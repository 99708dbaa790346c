/** `npm run try-host` on the stand-in of every release: what the report says, and that nothing is left on the host. */
import { describe, expect, test } from "vitest";
import { SHARE } from "../../scripts/try-host/trial-app.ts";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { install, JELLYFIN, openLoggedIn, startStandin } from "../support/engine/standin-client.ts";
import { startNewestOnly } from "../support/host/newest-only.ts";
import { contentOf, failuresOf, LAN_IP, startTrialHost, TRIAL_PATH, tryOn } from "../support/host/try-host.ts";

const ALL = [
  "install",
  "update",
  "roll the update back",
  "uninstall, its data kept",
  "adopt an older version",
  "upgrade",
  "roll the upgrade back",
  "uninstall with its data",
];

describe.each(GENERATIONS)("on %s", (generation) => {
  test("every step passes, each effect is seen on the host, and nothing is left there", async () => {
    // slow enough for an app to be still starting when a task has ended
    const host = await startTrialHost(generation, generation === "25.10" ? 4 : 100);
    const before = contentOf(host);
    const { report } = await tryOn(host);
    expect(failuresOf(report)).toEqual([]);
    expect(report).toMatchObject({ ended: "whole", left: [], seesFiles: true, host: { app: "homer" } });
    expect(report.steps.map(({ step, state }) => [step, state])).toEqual(ALL.map((step) => [step, "passed"]));
    expect(report.steps.every(({ checks }) => checks.length > 0)).toBe(true);
    expect(contentOf(host)).toEqual(before);
  });
});

test("without an older version, and without the host's files, those steps are skipped with a reason", async () => {
  const host = await startTrialHost();
  const before = contentOf(host);
  const { report } = await tryOn(host, { url: await startNewestOnly(host.url), sees: false });
  expect(failuresOf(report)).toEqual([]);
  expect(report).toMatchObject({ ended: "whole", seesFiles: false, left: [] });
  const skipped = report.steps.filter(({ state }) => state === "skipped");
  expect(skipped.map(({ step }) => step)).toEqual(ALL.slice(3));
  expect([skipped[0]?.reason, skipped.at(-1)?.reason]).toEqual([
    expect.stringContaining("no version"),
    expect.stringContaining("--local-root"),
  ]);
  expect(contentOf(host)).toEqual(before);
});

test.each(["25.04", "25.10"] as const)("on %s an SMB service that was off is off again", async (generation) => {
  const host = await startTrialHost(generation);
  Object.assign(host.control.state(), { smbRunning: false, smbEnabled: false });
  const { report } = await tryOn(host);
  expect(failuresOf(report)).toEqual([]);
  expect(report).toMatchObject({ ended: "whole", left: [] });
  expect(contentOf(host)).toMatchObject({ smbRunning: false, smbEnabled: false });
});

test("the report holds no key, no password, no name and no address of the box, and is its owner's alone", async () => {
  const host = await startTrialHost();
  const passwords = new Set<string>();
  const print = () => {
    const [text] = /(?<="SLIPWAY_SECRET","value":")[^"]+/.exec(JSON.stringify(host.control.state().apps)) ?? [];
    if (text !== undefined) passwords.add(text);
  };
  // a host that answers the engine with its secrets in its words
  host.control.arm("upgrade-left-stopped");
  const { report, text } = await tryOn(host, { terminal: { print } });
  expect([passwords.size, report.steps.length]).toEqual([2, ALL.length]);
  const hidden = [
    host.apiKey,
    host.apiKey.slice(host.apiKey.indexOf("-") + 1),
    host.lanIp,
    LAN_IP,
    "127.0.0.1",
    "trial-admin",
  ];
  for (const secret of [...hidden, ...passwords, TRIAL_PATH, "tank", host.dir, "truenas"])
    expect(text).not.toContain(secret);
});

describe("a host is not tried, and nothing is changed:", () => {
  const untouched = async (
    host: Awaited<ReturnType<typeof startTrialHost>>,
    changes: Parameters<typeof tryOn>[1] = {},
  ) => {
    const before = contentOf(host);
    const { report } = await tryOn(host, changes);
    expect(contentOf(host)).toEqual(before);
    expect(report.steps).toEqual([]);
    return report;
  };

  test("the app is installed", async () => {
    const host = await startTrialHost();
    const client = await openLoggedIn(host);
    await install(client, { ...JELLYFIN, app_name: "mine", catalog_app: "homer" });
    expect((await untouched(host)).reason).toContain('"homer" is installed');
  });

  test.each([
    ["its folder is there", "filesystem.mkdir", { path: `${TRIAL_PATH}/slipway-try` }, "slipway-try"],
    ["its share is there", "sharing.smb.create", { name: SHARE.toUpperCase(), path: TRIAL_PATH }, SHARE],
  ])("%s", async (_title, method, params, says) => {
    const host = await startTrialHost();
    await (await openLoggedIn(host)).call(method, params);
    expect(await untouched(host)).toMatchObject({ ended: "refused", reason: expect.stringContaining(says) });
  });

  test.each([
    ["the location is not there", `${TRIAL_PATH}/none`, "has no"],
    ["the location is a plain folder", `${TRIAL_PATH}/plain`, "no dataset"],
  ])("%s", async (_title, path, says) => {
    const host = await startTrialHost();
    await (await openLoggedIn(host)).call("filesystem.mkdir", { path: `${TRIAL_PATH}/plain` });
    expect((await untouched(host, { path })).reason).toContain(says);
  });

  test("its catalog has no such app, its apps service is down, the key is wrong, nobody agrees", async () => {
    expect((await untouched(await startStandin())).reason).toContain("no app");
    const host = await startTrialHost();
    expect((await untouched(host, { key: "1-wrong" })).reason).toContain("AUTH_ERR");
    expect((await untouched(host, { yes: false })).reason).toContain("not agreed");
    host.control.setDocker("UNCONFIGURED");
    expect((await untouched(host)).reason).toContain("UNCONFIGURED");
  });
});
