/**
 * One job of the host inside an effect.
 *
 * Invariants:
 * 1. A call whose answer is lost is never sent again before the host was asked for it.
 * 2. A job the host accepted is never started a second time by the same effect.
 */

import type { Failure } from "../../../core/codes/problems.ts";
import type { WorkDone } from "../../../core/task/task-failures.ts";
import { HostError } from "../../host-error.ts";
import type { HostFault, JobCall, JobRef } from "../../ports/host-records.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import type { MachineEvent, Reconciled } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { catchRefusal, toFaultFailure, toHostFailure } from "../failures.ts";
import { pause, retryWhileUnreachable } from "../retry.ts";
import { type JobSlot, noteJob, toJobRef } from "./job-slot.ts";

export interface JobWork {
  readonly call: JobCall;
  /** Asked immediately before each sending: a `HostError` it rejects with ends the job before it began. */
  readonly ready?: () => Promise<unknown>;
  /** Whether the host's state shows that the work was done although the job is unknown. */
  readonly happened: () => Promise<boolean>;
}

/** `unknown`: the work may be done or still go on, and the host refuses to say. */
export type JobEnd = { readonly ok: true } | { readonly ok: false; readonly failure: Failure; readonly unknown?: true };

type JobDeps = Pick<EffectDeps, "host" | "clock" | "timing" | "logger">;

/** Sends the call, unless the host knows it already, and waits for the job's end. */
export async function ensureJob(deps: JobDeps, slot: JobSlot, work: JobWork): Promise<JobEnd> {
  return (await findJob(deps, slot, work)) ?? performJob(deps, slot, work);
}

/** Sends the call and waits for the job's end. */
export async function performJob(deps: JobDeps, slot: JobSlot, work: JobWork): Promise<JobEnd> {
  try {
    const { ready } = work;
    if (ready !== undefined) await retryWhileUnreachable(deps, slot, ready);
    slot.signal.throwIfAborted();
    const job = await deps.host.startJob(work.call, slot.requestId);
    passCrashPoint("afterEffectSent");
    noteJob(slot, job);
  } catch (error) {
    if (slot.signal.aborted || !(error instanceof HostError)) throw error;
    if (error.code === "HOST_JOB_DROPPED") {
      // Too many jobs of others wait before it (docs/host-api.md, section 3): the host has forgotten it, there will be room again.
      await pause(deps.clock, deps.timing.hostRetry, slot.signal);
      slot.signal.throwIfAborted();
      return performJob(deps, slot, work);
    }
    if (error.delivery !== "unknown") return { ok: false, failure: toHostFailure(error) };
    const found = await catchUnknownEnd(slot, () => findJob(deps, slot, work));
    return found === null ? performJob(deps, slot, work) : found;
  }
  return catchUnknownEnd(slot, () => awaitJob(deps, slot, work, toJobRef(slot, work.call)));
}

/** Asks how work that may have been sent ended; where the host does not say it, the end is unknown. */
export function catchUnknownEnd<T>({ signal }: Pick<JobSlot, "signal">, ask: () => Promise<T>): Promise<T | JobEnd> {
  return catchRefusal(signal, ask, (failure) => ({ ok: false, failure, unknown: true }));
}

/** Whether a job's work was done, as the machines' events carry it. */
export function reportWork(end: JobEnd): { readonly done: WorkDone } {
  return { done: end.ok || (end.unknown ? "unknown" : false) };
}

/** Finds the end of a call that may have been sent; null when the host never got it. */
export async function findJob(deps: JobDeps, slot: JobSlot, work: JobWork): Promise<JobEnd | null> {
  const ref = toJobRef(slot, work.call);
  const job = await retryWhileUnreachable(deps, slot, () => deps.host.findJob(ref));
  if (job !== null) {
    noteJob(slot, job);
    return awaitJob(deps, slot, work, toJobRef(slot, work.call));
  }
  if (await retryWhileUnreachable(deps, slot, work.happened)) return { ok: true };
  return slot.read()?.["jobId"] === undefined ? null : { ok: false, failure: createLostJobFailure(work.call) };
}

/**
 * The same as the runtime's `reconcile` asks it; `toEvent` names the end. A silent host is waited for inside; a lasting
 * refusal (the app was removed meanwhile) ends the effect: asking again would be for ever.
 */
export async function reconcileJob(
  deps: JobDeps,
  slot: JobSlot,
  work: JobWork | Promise<JobWork>,
  toEvent: (end: JobEnd) => MachineEvent | Promise<MachineEvent>,
): Promise<Reconciled> {
  const found = await catchUnknownEnd(slot, async () => findJob(deps, slot, await work));
  return found === null ? { status: "not_started" } : { status: "done", event: await toEvent(found) };
}

async function awaitJob(deps: JobDeps, slot: JobSlot, work: JobWork, ref: JobRef): Promise<JobEnd> {
  let percent = -1;
  const job = await retryWhileUnreachable(deps, slot, () =>
    deps.host.waitJob(ref, {
      signal: slot.signal,
      progress: (seen) => {
        if (seen.percent <= percent) return;
        percent = seen.percent;
        slot.emit({ type: "host.app.progress", percent });
      },
    }),
  );
  if (job === null) {
    const done = await retryWhileUnreachable(deps, slot, work.happened);
    return done ? { ok: true } : { ok: false, failure: createLostJobFailure(work.call) };
  }
  if (job.state === "SUCCESS") return { ok: true };
  if (job.error === undefined) return { ok: false, failure: createLostJobFailure(work.call) };
  return { ok: false, failure: toFaultFailure(await confirmFault(deps, slot, work.call, job.error)) };
}

/**
 * While its apps service is down the host takes every app for one that does not exist (docs/host-api.md, section 4): it is asked
 * again before an app is called unknown.
 */
async function confirmFault(deps: JobDeps, slot: JobSlot, call: JobCall, fault: HostFault): Promise<HostFault> {
  if (fault.code !== "HOST_NOT_FOUND" || call.method === "createApp" || !("name" in call)) return fault;
  const app = await retryWhileUnreachable(deps, slot, () => deps.host.app(call.name));
  return app === null ? fault : { ...fault, code: "HOST_APPS_UNAVAILABLE", retryable: true };
}

function createLostJobFailure(call: JobCall): Failure {
  return {
    code: "HOST_JOB_DROPPED",
    message: `the host no longer knows the job "${call.method}", and its work is not done`,
    context: [],
    retryable: true,
  };
}
