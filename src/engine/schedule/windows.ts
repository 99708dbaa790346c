/** The windows of schedules, and the upgrades of several at once. Pure. */
import type { UpgradeAllRequest } from "../api.ts";
import { WINDOW_MINUTES } from "../requests.ts";
import type { Schedule } from "./policies.ts";

const MINUTE_MS = 60_000;

/** A window of a schedule that is not done. */
export interface Window extends Schedule {
  /** UTC ms. */
  readonly opened: number;
}

/** Whether the time of a window has passed: it is missed, or made up for where its policy wants that. */
export function hasPassed({ opened, policy }: Window, now: number): boolean {
  return now >= opened + (policy.minutes ?? WINDOW_MINUTES) * MINUTE_MS;
}

/** What the task bears that a window has begun. */
export function toMark({ id, opened }: Window): string {
  return `scheduled: ${id} ${new Date(opened).toISOString()}`;
}

/** The apps of several windows in one request, which stops on failure where one of them does. */
export function joinRequests(windows: readonly Window[]): UpgradeAllRequest {
  const requests = windows.map(({ request }) => request);
  const named = requests.flatMap(({ apps = [] }) => apps);
  const others = requests.find(({ apps }) => apps === undefined);
  const except = others?.except?.filter((appId) => !named.includes(appId)) ?? [];
  return {
    ...(others === undefined ? { apps: named } : { except }),
    ...(requests.some(({ stopOnFailure }) => stopOnFailure === true) && { stopOnFailure: true }),
  };
}

/** What of several apps is a window's. */
export function pickOwn<One extends { readonly appId: string }>(
  { request }: Window,
  all: readonly One[],
): readonly One[] {
  const { apps, except = [] } = request;
  return all.filter(({ appId }) => apps?.includes(appId) ?? !except.includes(appId));
}
