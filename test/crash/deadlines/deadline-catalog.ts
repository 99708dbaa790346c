/** Apps whose tasks wait for one deadline each, and what a person starts of them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Timing } from "../../../src/engine/runtime/timing.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

/** What a deadline of a task is called in its event log, by what it is for people. */
export const DEADLINES = {
  "input time-out, an optional hook": "xstate.after.inputDeadline.hook-task.ACTIVE.AWAITING_INPUT.OPEN",
  "input time-out, a hook that stays": "xstate.after.inputDeadline.hook-task.ACTIVE.AWAITING_INPUT.OPEN",
  "OAuth pin": "oauth.failed",
  "an app that does not come up": "xstate.after.runningDeadline.install.RUNNING.STARTING",
  "a link whose target does not come up": "xstate.after.startDeadline.hook-task.ACTIVE.WAITING_APPS",
  "running time of a script": "run.failed",
} as const;

export type DeadlineName = keyof typeof DEADLINES;
export const NAMES = Object.keys(DEADLINES).filter((name): name is DeadlineName => Object.hasOwn(DEADLINES, name));

/** The app each deadline belongs to, and whether it is the hook's or the install's own. */
export const OWNERS: Readonly<Record<DeadlineName, { readonly appId: string; readonly hook: boolean }>> = {
  "input time-out, an optional hook": { appId: "due-input", hook: true },
  "input time-out, a hook that stays": { appId: "due-pin", hook: true },
  "OAuth pin": { appId: "due-pin", hook: true },
  "an app that does not come up": { appId: "due-app", hook: false },
  "a link whose target does not come up": { appId: "due-link", hook: true },
  "running time of a script": { appId: "due-script", hook: true },
};

/** The stand-in's fault that keeps `due-app`, which is created first, from coming up. */
export const FAULTS = ["app-never-healthy"];

/** Every deadline of the engine `ms` long, and pauses short enough for tests. */
export function deadlinesOf(ms: number): Partial<Timing> {
  return {
    inputDeadline: ms,
    runningDeadline: ms,
    oauthDeadline: ms,
    linkStart: ms,
    appPoll: 20,
    appPollMost: 50,
    hostRetry: 50,
    oauthPoll: 20,
  };
}

/** Writes the catalog; `provider` is the address of an OAuth provider, the script's time-out is `ms` long. */
export function writeDeadlineCatalog(folder: string, provider: string, ms: number): void {
  const hook = (id: string, more: Record<string, unknown> = {}) => ({
    id,
    title: id,
    events: ["onAfterInstall"],
    entrypoint: "run",
    scriptContent: "export async function run() {}",
    ...more,
  });
  const question = { question: "Name", type: "text", key: "name", required: true };
  const flow = {
    type: "pin",
    pinUrl: `${provider}/pins`,
    authUrl: `https://provider.test/auth?client={clientId}&code={code}`,
    pollUrl: `${provider}/pins/{pinId}`,
    clientId: "slipway",
    tokenField: "authToken",
    headers: {},
  };
  const apps: Readonly<Record<string, readonly unknown[]>> = {
    "due-app": [],
    "due-input": [hook("ask", { optional: true, inputs: [{ type: "question", id: "name", question }] })],
    "due-pin": [
      hook("account", { inputs: [{ type: "oauth", id: "account", name: "Account", provider: "test", flow }] }),
    ],
    "due-script": [
      hook("run", {
        optional: true,
        retries: 0,
        timeout: ms / 1000,
        scriptContent: "export async function run() {\n  await new Promise(() => setTimeout(() => {}, 60_000));\n}",
      }),
    ],
    "due-link": [
      {
        ...hook("connect", { rerun: "converge" }),
        events: undefined,
        conditions: [{ role: "visibility", type: "appInstalled", app: "due-app" }],
      },
    ],
  };
  for (const [app, hooks] of Object.entries(apps)) {
    writeFileSync(join(folder, `${app}.json`), JSON.stringify(rawScript({ hooks })));
  }
}
