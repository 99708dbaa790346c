/** Where a job of the host is noted within an effect, so that a later life finds it. */
import type { JsonObject } from "../../../core/json/json.ts";
import type { HostJob, JobCall, JobRef } from "../../ports/host-records.ts";
import type { EffectRun, MachineEvent } from "../../runtime/effect.ts";
import { toRequestId } from "../../runtime/request-id.ts";

/** Where a job's number is noted, and the id it is sent under. */
export interface JobSlot {
  readonly requestId: string;
  readonly signal: AbortSignal;
  emit(event: MachineEvent): void;
  setHostSilent(silent: boolean): void;
  read(): JsonObject | null;
  write(note: JsonObject): void;
}

/** The slot of an effect that is one job. */
export function toSlot(run: EffectRun): JobSlot {
  return {
    requestId: run.requestId,
    signal: run.signal,
    emit: (event) => run.emit(event),
    setHostSilent: (silent) => run.setHostSilent(silent),
    read: () => run.note,
    write: (note) => run.writeNote(note),
  };
}

/**
 * The slot of a further job of an effect, under an id of its own made from `purpose`: found again by that id, with
 * nothing noted. Its progress is not told: the machines show that of the effect's own job.
 */
export function toFurtherSlot(run: EffectRun, purpose: string): JobSlot {
  return {
    requestId: toRequestId(`${run.effectId}#${purpose}`),
    signal: run.signal,
    emit: (event) => (event.type === "host.app.progress" ? undefined : run.emit(event)),
    setHostSilent: (silent) => run.setHostSilent(silent),
    read: () => null,
    write: () => {},
  };
}

/** Notes the number the host gave a job. */
export function noteJob(slot: JobSlot, job: HostJob): void {
  slot.write({
    ...slot.read(),
    jobId: job.id,
    ...(job.startedAt !== undefined && { startedAt: job.startedAt }),
  });
}

/** Whether the host has accepted the job of an effect that is one. */
export function wasSent({ note }: Pick<EffectRun, "note">): boolean {
  return note?.["jobId"] !== undefined;
}

/** How a job is found again, from what was noted of it. */
export function toJobRef(slot: JobSlot, call: JobCall): JobRef {
  const id = slot.read()?.["jobId"];
  const startedAt = slot.read()?.["startedAt"];
  return {
    requestId: slot.requestId,
    method: call.method,
    ...(typeof id === "number" && { id }),
    ...(typeof startedAt === "number" && { startedAt }),
  };
}
