/** Faults by name and moment (docs/host-api.md, section 11): off unless armed. */
import { EngineError } from "../core/codes/problems.ts";

/** Where in the stand-in a fault strikes. */
type FaultPlace = "call" | "job" | "event" | "app" | "service" | "files";

/** Faults by name, with their effects. `VALUE` is a number whose meaning the row tells. */
export const FAULTS = {
  "drop-before-call": { place: "call", does: "closes the socket and never runs the call" },
  "drop-before-answer": { place: "call", does: "runs the call and closes the socket before its answer" },
  "session-expired": { place: "call", does: "answers ENOTAUTHENTICATED and logs the session out" },
  "too-many-calls": { place: "call", does: "answers -32000" },
  "slow-answer": { place: "call", does: "answers VALUE ms late (default 2000), divided by the speed" },
  "out-of-order": { place: "call", does: "lets later calls be answered first (VALUE ms, default 50)" },
  "login-expired": { place: "call", does: "answers a login with EXPIRED" },
  "login-otp": { place: "call", does: "answers a login with OTP_REQUIRED" },
  "access-refused": { place: "call", does: "accepts the socket and closes it with 1008" },
  "drop-mid-job": { place: "job", does: "closes all sockets at the step" },
  "job-call-error": { place: "job", does: "fails the job with the engine's call error" },
  "job-validation": { place: "job", does: "fails the job with a VALIDATION error" },
  "job-rate-limit": { place: "job", does: "fails the job with the registry's pull rate limit" },
  "job-aborted": { place: "job", does: "marks the job ABORTED while its work goes on" },
  "service-restart": { place: "job", does: "restarts the service: sockets close, jobs gone, ids from 1" },
  "last-event-lost": { place: "event", does: "never sends the terminal event" },
  "events-duplicated": { place: "event", does: "sends every event of the job twice" },
  "events-reordered": { place: "event", does: "holds each event of the job back until after the next" },
  "app-crashed": { place: "app", does: "lets the main container crash at its start" },
  "app-never-healthy": { place: "app", does: "keeps the main container starting for ever" },
  "upgrade-left-stopped": { place: "app", does: "fails the upgrade with the app stopped on the old version" },
  "upgrade-half-up": { place: "app", does: "fails the upgrade with the new version half up" },
  "docker-initializing": { place: "service", does: "answers INITIALIZING to VALUE docker.status calls (default 3)" },
  "smb-stays-down": { place: "service", does: "answers false to a start of the SMB service, which stays down" },
  "registry-unreachable": { place: "service", does: "says that the registry of images does not answer" },
  "update-changes-owner": { place: "files", does: "lets the update give the app's host paths to root" },
} as const satisfies Record<string, { readonly place: FaultPlace; readonly does: string }>;

/** Name of a fault. */
type FaultName = keyof typeof FAULTS;

/** An armed fault: what, at which moment, how often. */
export interface ArmedFault {
  readonly name: FaultName;
  /** Only for this method; absent: any. */
  readonly method?: string;
  /** Only from this progress step on, in percent. */
  readonly percent?: number;
  /** The row's VALUE. */
  readonly value?: number;
  /** How often it strikes before it is spent. */
  readonly times: number;
}

/** The moment at which a place asks whether a fault strikes. */
export interface Moment {
  readonly method?: string;
  readonly percent?: number;
}

const SPEC = /^([a-z-]+)(?:@([A-Za-z_.]+)(?::(\d{1,3}))?)?(?:\*(\d+))?(?:=(\d+))?$/;

/** Reads `NAME[@METHOD[:PERCENT]][*TIMES][=VALUE]`; throws `CLI_USAGE` for anything else. */
export function parseFault(text: string): ArmedFault {
  const [, name, method, percent, times, value] = SPEC.exec(text) ?? [];
  if (name === undefined || !isFaultName(name)) {
    throw new EngineError(
      "CLI_USAGE",
      `"${text}" is not a fault, allowed are NAME[@METHOD[:PERCENT]][*TIMES][=VALUE] with NAME one of ${Object.keys(FAULTS).join(", ")}`,
    );
  }
  return {
    name,
    ...(method !== undefined && { method }),
    ...(percent !== undefined && { percent: Number(percent) }),
    ...(value !== undefined && { value: Number(value) }),
    times: times === undefined ? 1 : Number(times),
  };
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

/** The armed faults of one stand-in. */
export class Faults {
  #armed: ArmedFault[] = [];

  arm(fault: ArmedFault): void {
    this.#armed.push(fault);
  }

  /** Disarms every fault of the name, or all. */
  disarm(name?: string): void {
    this.#armed = name === undefined ? [] : this.#armed.filter((fault) => fault.name !== name);
  }

  /** Armed and not yet spent. */
  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** Whether a fault strikes at this moment; spends one of its times. */
  take(name: FaultName, moment: Moment = {}): ArmedFault | undefined {
    const index = this.#armed.findIndex((fault) => fault.name === name && matchesMoment(fault, moment));
    const fault = this.#armed[index];
    if (fault === undefined) return undefined;
    if (fault.times <= 1) this.#armed = this.#armed.toSpliced(index, 1);
    else this.#armed = this.#armed.with(index, { ...fault, times: fault.times - 1 });
    return fault;
  }
}

function matchesMoment(fault: ArmedFault, moment: Moment): boolean {
  if (fault.method !== undefined && fault.method !== moment.method) return false;
  return fault.percent === undefined || (moment.percent ?? 0) >= fault.percent;
}
