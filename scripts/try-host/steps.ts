/** The steps of a trial: what the engine does, and what the host says of it afterwards. */
import { posix } from "node:path";
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json/json.ts";
import { readSmb } from "./look.ts";
import { type Checks, listDatasets, readApp, runStep, Skipped, skipSteps, statPath, type Trial } from "./trial.ts";
import { ANSWER, APP, buildValues, SHARE, toHostPath } from "./trial-app.ts";

/** ms between two looks at an app that starts, and how long it may take. */
const START = { pollMs: 1_000, mostMs: 600_000 };

const OLDER_STEPS = ["uninstall, its data kept", "adopt an older version", "upgrade", "roll the upgrade back"] as const;
const AFTER_INSTALL = ["update", "roll the update back", ...OLDER_STEPS, "uninstall with its data"] as const;

/** Plays the whole trial but the clean-up; what can't be done is noted with its reason. */
export async function playSteps(trial: Trial): Promise<void> {
  if (!(await runStep(trial, "install", (checks) => install(trial, checks)))) {
    return skipSteps(trial, AFTER_INSTALL, "the install failed");
  }
  const updated = await runStep(trial, "update", (checks) => update(trial, checks));
  if (updated) await runStep(trial, "roll the update back", (checks) => rollBackUpdate(trial, checks));
  else skipSteps(trial, ["roll the update back"], "the update failed");
  await playOlder(trial);
  await runStep(trial, "uninstall with its data", (checks) => uninstall(trial, checks));
}

/** An upgrade needs an older version: the host's own call installs it over the kept data, and the engine adopts it. */
async function playOlder(trial: Trial): Promise<void> {
  const { older, newest } = trial.found;
  if (older === null) {
    return skipSteps(trial, OLDER_STEPS, `the host's catalog has no version of "${APP}" before ${newest}`);
  }
  const runs = {
    [OLDER_STEPS[0]]: keepData,
    [OLDER_STEPS[1]]: adoptOlder,
    [OLDER_STEPS[2]]: upgrade,
    [OLDER_STEPS[3]]: rollBackUpgrade,
  };
  for (const [index, title] of OLDER_STEPS.entries()) {
    if (await runStep(trial, title, (checks) => runs[title](trial, checks, older))) continue;
    return skipSteps(trial, OLDER_STEPS.slice(index + 1), `"${title}" failed`);
  }
}

async function install(trial: Trial, checks: Checks): Promise<void> {
  const { engine, api, found, paths } = trial;
  await checks.settled(engine.install(APP));
  await checkApp(trial, checks, found.newest);
  await checkMark(trial, checks, ANSWER.first);
  const used = z.array(z.int()).parse(await api.call("app.used_ports"));
  checks.equal("its port is published", used.includes(found.port), true);
  const datasets = await listDatasets(api, `${found.dataset}/${posix.basename(paths.top)}`);
  checks.equal("its folders are datasets", datasets.map((name) => posix.basename(name)).toSorted(), [
    "assets",
    "slipway-try",
  ]);
  await checkOwner(trial, checks);
  const shares = await api.rows("sharing.smb.query", [["name", "=", SHARE]]);
  checks.equal(
    "its folder is shared",
    shares.map(({ path }) => path ?? null),
    [paths.share],
  );
  checks.equal("SMB runs, and starts with the host", await readSmb(api), { state: "RUNNING", enable: true });
}

async function update(trial: Trial, checks: Checks): Promise<void> {
  const { engine, api, paths } = trial;
  await api.call("filesystem.mkdir", { path: `${paths.data}/before-update` });
  await checks.settled(engine.update(APP, { answers: { [ANSWER.key]: ANSWER.second } }));
  await checkApp(trial, checks, trial.found.newest);
  await checkMark(trial, checks, ANSWER.second);
  await checkOwner(trial, checks);
  const taken = await listSnapshots(trial);
  checks.equal("a snapshot was taken before", taken.length > 0, true);
  await api.call("filesystem.mkdir", { path: `${paths.data}/after-update` });
}

async function rollBackUpdate(trial: Trial, checks: Checks): Promise<void> {
  const { engine, api, paths } = trial;
  const preview = await engine.previewRollback(APP);
  await checks.settled(engine.rollback(APP));
  await checkApp(trial, checks, trial.found.newest);
  await checkMark(trial, checks, ANSWER.first);
  if (preview.restored.length === 0) {
    const [kept] = preview.kept;
    checks.marks.push(`the data stays: ${kept?.reason ?? "no dataset is restored"}`);
    return;
  }
  checks.equal("what was there before is back", (await statPath(api, `${paths.data}/before-update`)) !== null, true);
  checks.equal("what came after is gone", await statPath(api, `${paths.data}/after-update`), null);
  await checkOwner(trial, checks);
}

async function keepData(trial: Trial, checks: Checks): Promise<void> {
  const { engine, api, paths } = trial;
  await checks.settled(engine.uninstall(APP));
  checks.equal("the app is gone", await readApp(api), null);
  checks.equal("its data is there", (await statPath(api, paths.data)) !== null, true);
}

/** The values are those of the install; the mark is another one, which the adoption finds. */
async function adoptOlder(trial: Trial, checks: Checks, older: string): Promise<void> {
  const { engine, api, found, paths } = trial;
  const values = buildValues({
    mark: ANSWER.second,
    secret: "slipway-try-not-a-secret",
    assets: toHostPath(paths.data),
    port: found.port,
  });
  await api.job("app.create", { app_name: APP, catalog_app: APP, train: found.train, version: older, values });
  await untilStarted(trial);
  const preview = await engine.previewAdopt(APP);
  await checks.settled(engine.adopt(APP));
  const answer = preview.answers.find(({ key }) => key === ANSWER.key);
  checks.equal("its answer is found", answer?.value ?? null, ANSWER.second);
  await checkApp(trial, checks, older);
}

async function upgrade(trial: Trial, checks: Checks): Promise<void> {
  await checks.settled(trial.engine.upgrade(APP));
  await checkApp(trial, checks, trial.found.newest);
  await checkMark(trial, checks, ANSWER.second);
  await checkOwner(trial, checks);
}

async function rollBackUpgrade(trial: Trial, checks: Checks, older: string): Promise<void> {
  await checks.settled(trial.engine.rollback(APP));
  await checkApp(trial, checks, older);
  await checkMark(trial, checks, ANSWER.second);
}

async function uninstall({ engine, api, paths, report }: Trial, checks: Checks): Promise<void> {
  const task = await checks.settled(engine.uninstall(APP, { keepData: false }));
  checks.equal("the app is gone", await readApp(api), null);
  const left = task.result !== undefined && "left" in task.result ? task.result.left : [];
  if (left.length > 0 && !report.seesFiles) {
    throw new Skipped("the data is left: this machine does not see the host's files (--local-root)");
  }
  const isThere = (await statPath(api, paths.data)) !== null;
  const entries = isThere ? await api.rows("filesystem.listdir", paths.data) : [];
  checks.equal(
    "its data is gone",
    entries.map(({ name }) => String(name)),
    [],
  );
}

/** An app that was changed may still start as its task ends: that is waited for. */
async function checkApp(trial: Trial, checks: Checks, version: string): Promise<void> {
  const { state = null, version: has = null } = (await untilStarted(trial)) ?? {};
  checks.equal("the app runs, in the version it should have", { state, version: has }, { state: "RUNNING", version });
}

const Config = z.object({
  homer: z.object({ additional_envs: z.array(z.object({ name: z.string(), value: z.string() })) }),
});

async function checkMark({ api, hidden }: Trial, checks: Checks, expected: string): Promise<void> {
  const { homer } = Config.parse(await api.call("app.config", APP));
  const values = new Map(homer.additional_envs.map(({ name, value }) => [name, value]));
  const secret = values.get("SLIPWAY_SECRET") ?? "";
  if (secret !== "") hidden.secrets.add(secret);
  checks.equal("it is set up with the answer", values.get("SLIPWAY_MARK") ?? null, expected);
  checks.equal("it has a password", secret.length > 20, true);
}

async function checkOwner({ api, paths }: Trial, checks: Checks): Promise<void> {
  const stat = await statPath(api, paths.data);
  const owner: Json = isJsonObject(stat) ? { uid: stat["uid"] ?? null, gid: stat["gid"] ?? null } : null;
  checks.equal("its folder belongs to apps (568)", owner, { uid: 568, gid: 568 });
}

async function listSnapshots({ api, found, paths }: Trial): Promise<readonly JsonObject[]> {
  const dataset = `${found.dataset}/${posix.basename(paths.top)}/${posix.basename(paths.data)}`;
  const method = api.isBefore2510 ? "zfs.snapshot.query" : "pool.snapshot.query";
  const rows = await api.rows(method, [["dataset", "=", dataset]], { select: ["name"] });
  return rows.filter(({ name }) => String(name).includes(`platform-app-${APP}-assets-`));
}

/** The app once it no longer starts, or as it is when the time for that is over. */
async function untilStarted({ api, terminal }: Trial): Promise<JsonObject | null> {
  for (const late = performance.now() + START.mostMs; ; ) {
    const app = await readApp(api);
    if (app?.["state"] !== "DEPLOYING" || performance.now() > late) return app;
    terminal.signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, START.pollMs));
  }
}
