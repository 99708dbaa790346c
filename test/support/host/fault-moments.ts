/** The rows of the fault table (docs/host-api.md, section 11) as disturbances of a whole task, and what each demands. */
import fc from "fast-check";
import { expect } from "vitest";
import { NOT_RUNNING } from "../../../src/core/task/task-failures.ts";
import { APP, CALL_MS, type DisturbedEngine, expectDoneOnce, type Outcome, SPEED } from "../engine/disturbed-engine.ts";

export type Lifecycle = "install" | "upgrade";

/** An armed fault of the stand-in, or something that happens as the n-th call of the task arrives. */
export type Moment =
  | { readonly fault: string }
  | { readonly atCall: number; readonly happens: "sockets cut" | "service restarts" | "apps service restarts" };

/** What a task must come to. */
export interface Demand {
  readonly row: string;
  /** Codes of failures the row may show; each is followed by Retry, and that must be enough. None: it is not noticed. */
  readonly shows?: readonly string[];
  /** The failure comes in every run, and holds this. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** The task's mark at its end; default: none, the app runs. */
  readonly mark?: string;
}

/** A row of the table: its demand, and the moments at which it may strike. */
export interface FaultRow extends Demand {
  readonly only?: Lifecycle;
  readonly moment: (lifecycle: Lifecycle) => fc.Arbitrary<Moment>;
}

/** Job methods of a task and the percent of their steps. */
const JOBS: Readonly<Record<Lifecycle, Readonly<Record<string, readonly number[]>>>> = {
  install: { "filesystem.setacl": [0, 50], "app.create": [0, 25, 60] },
  upgrade: { "app.upgrade": [0, 15, 20, 40, 50] },
};

const READS = [
  "app.query",
  "docker.status",
  "filesystem.stat",
  "filesystem.statfs",
  "core.get_jobs",
  "user.get_user_obj",
];

/** Every call of a task. */
const CALLS: Readonly<Record<Lifecycle, readonly string[]>> = {
  install: [
    ...READS,
    ...Object.keys(JOBS.install),
    "pool.dataset.create",
    "pool.dataset.query",
    "filesystem.mkdir",
    "sharing.smb.query",
    "sharing.smb.create",
  ],
  upgrade: [...READS, ...Object.keys(JOBS.upgrade), "pool.snapshot.query", "pool.snapshot.create"],
};

/** Calls of an undisturbed task after its start, about. */
const LENGTH: Readonly<Record<Lifecycle, number>> = { install: 45, upgrade: 24 };

const jobs = (lifecycle: Lifecycle) => Object.keys(JOBS[lifecycle]);
const armed = (text: fc.Arbitrary<string>) => text.map((fault) => ({ fault }));
const ofJob = (fault: string) => (lifecycle: Lifecycle) =>
  armed(fc.constantFrom(...jobs(lifecycle)).map((method) => `${fault}@${method}`));
const atStep = (fault: string) => (lifecycle: Lifecycle) => {
  const steps = Object.entries(JOBS[lifecycle]).flatMap(([method, at]) => at.map((percent) => `${method}:${percent}`));
  return armed(fc.constantFrom(...steps).map((step) => `${fault}@${step}`));
};
const ofCall =
  (fault: string, value = "") =>
  (lifecycle: Lifecycle) =>
    armed(fc.constantFrom(...CALLS[lifecycle]).map((method) => `${fault}@${method}${value}`));
const atCall = (happens: Extract<Moment, { happens: string }>["happens"]) => (lifecycle: Lifecycle) =>
  fc.integer({ min: 1, max: LENGTH[lifecycle] }).map((n) => ({ atCall: n, happens }));
const either =
  (...ways: readonly FaultRow["moment"][]): FaultRow["moment"] =>
  (lifecycle) =>
    fc.oneof(...ways.map((way) => way(lifecycle)));
const always = (fault: string) => () => fc.constant({ fault });
/** An upgrade starts an app that does not come up once more: the fault has to strike both starts. */
const everyStart = (fault: string) => (lifecycle: Lifecycle) =>
  fc.constant({ fault: lifecycle === "upgrade" ? `${fault}*2` : fault });

/** ms of the host's own time that outlast what the client waits for one answer. */
const TOO_LATE = CALL_MS * 1.2 * SPEED;

export const FAULT_ROWS: readonly FaultRow[] = [
  { row: "socket closed before the J response: taken", moment: ofJob("drop-before-answer") },
  { row: "socket closed before the J response: not taken", moment: ofJob("drop-before-call") },
  {
    row: "socket closed before any other answer",
    moment: either(ofCall("drop-before-answer"), ofCall("drop-before-call")),
  },
  { row: "socket closed mid-job", moment: either(atStep("drop-mid-job"), atCall("sockets cut")) },
  {
    row: "job FAILED: call error",
    moment: atStep("job-call-error"),
    always: { code: "HOST_CALL_FAILED", message: expect.stringContaining("Failed 'up' action"), retryable: false },
  },
  {
    row: "job FAILED: VALIDATION",
    moment: ofJob("job-validation"),
    always: {
      code: "HOST_INVALID",
      context: expect.arrayContaining([expect.objectContaining({ label: expect.any(String) })]),
    },
  },
  {
    row: "job FAILED: rate limit",
    moment: atStep("job-rate-limit"),
    always: { code: "HOST_RATE_LIMITED", retryable: true },
  },
  { row: "job ABORTED", moment: atStep("job-aborted"), always: { code: "HOST_JOB_ABORTED", retryable: true } },
  {
    row: "service restart: sockets close, jobs gone, ids reset",
    moment: either(atStep("service-restart"), atCall("service restarts")),
    shows: ["HOST_JOB_DROPPED"],
  },
  { row: "last event lost", moment: ofJob("last-event-lost") },
  { row: "events duplicated", moment: ofJob("events-duplicated") },
  { row: "events reordered", moment: ofJob("events-reordered") },
  {
    row: "job SUCCESS but app CRASHED",
    moment: everyStart("app-crashed"),
    shows: [NOT_RUNNING],
    mark: "notRunning: CRASHED",
  },
  {
    row: "job SUCCESS but app DEPLOYING for ever",
    moment: everyStart("app-never-healthy"),
    shows: [NOT_RUNNING],
    mark: "notRunning: DEPLOYING",
  },
  {
    row: "failed upgrade leaves STOPPED",
    only: "upgrade",
    moment: always("upgrade-left-stopped"),
    always: {
      context: expect.arrayContaining([
        { label: "version before", value: "1.3.0" },
        { label: "version now", value: "1.3.0" },
        // The engine starts the old version again.
        { label: "state now", value: expect.stringMatching(/^(DEPLOYING|RUNNING)$/) },
      ]),
    },
  },
  {
    row: "failed upgrade leaves the new version half up",
    only: "upgrade",
    moment: always("upgrade-half-up"),
    always: {
      context: expect.arrayContaining([
        { label: "version before", value: "1.3.0" },
        { label: "version now", value: "1.3.1" },
      ]),
    },
  },
  {
    row: "docker.status INITIALIZING",
    moment: either(always("docker-initializing=6"), atCall("apps service restarts")),
    // A job that is under way when the service goes down is refused by the host.
    shows: ["HOST_APPS_UNAVAILABLE"],
  },
  { row: "session expired", moment: ofCall("session-expired") },
  { row: "-32000", moment: ofCall("too-many-calls", "*2") },
  { row: "answer after client timeout", moment: ofCall("slow-answer", `=${TOO_LATE}`) },
];

/** Lets the moment strike in the task that has just begun. */
export function strike(world: DisturbedEngine, moment: Moment): void {
  const { control } = world.standin;
  if ("fault" in moment) {
    control.arm(moment.fault);
    return;
  }
  world.atCall(moment.atCall, () => {
    if (moment.happens === "sockets cut") control.dropSockets();
    else if (moment.happens === "service restarts") control.restartService();
    else {
      control.setDocker("INITIALIZING");
      world.atCall(6, () => control.setDocker("RUNNING"));
    }
  });
}

/** The task has ended in the state its row demands, with everything done once. `wasRunning`: the app, before it. */
export async function expectRow(
  world: DisturbedEngine,
  { shows = [], always: must, mark }: Demand,
  lifecycle: Lifecycle,
  { task, failures, skipped }: Outcome,
  shown: string,
  wasRunning = true,
): Promise<void> {
  if (must !== undefined) expect(failures, shown).toEqual([expect.objectContaining(must)]);
  else expect(shows, shown).toEqual(expect.arrayContaining(failures.map(({ code }) => code)));
  expect(failures.length, shown).toBeLessThanOrEqual(1);
  expect(task, shown).toMatchObject({ state: "COMPLETED", progress: 100 });
  expect(task.failure, shown).toBeUndefined();
  expect(
    task.marks.filter((text) => text.startsWith("notRunning")),
    shown,
  ).toEqual(mark === undefined ? [] : [mark]);
  // Hooks that find no running app are what a person has to skip.
  const { before, after } = HOOKS[lifecycle];
  expect(skipped, shown).toEqual([...(wasRunning ? [] : [before]), ...(mark === undefined ? [] : [after])]);
  const state = mark === undefined ? "RUNNING" : mark.slice("notRunning: ".length);
  expect(await world.host.app(APP), shown).toMatchObject({ state });
  expectDoneOnce(world, lifecycle === "upgrade", shown);
}

const HOOKS = {
  install: { before: "onBeforeInstall", after: "onAfterInstall" },
  upgrade: { before: "onBeforeUpgrade", after: "onAfterUpgrade" },
} as const;
