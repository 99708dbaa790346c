const APP_JOBS = [
  "host.app.create",
  "host.app.upgrade",
  "host.app.update",
  "host.app.start",
  "host.app.stop",
  "host.app.delete",
  "host.app.rollback",
  "host.app.adopt",
];

const HOST_CALLS = [
  "host.directories",
  "host.snapshots",
  ...APP_JOBS,
  "host.ownership",
  "host.directories.remove",
  "host.datasets.restore",
];

/** The effects an event may come from, and whether it ends them. The first one that is open is taken. */
export interface Origin {
  readonly events: RegExp;
  readonly effects: readonly string[];
  readonly ends: boolean;
}

/** By the event; those of people, parents, children, the clock and the engine itself are not here. */
export const ORIGINS: readonly Origin[] = [
  { events: /^host\.(done|failed)$/, effects: HOST_CALLS, ends: true },
  { events: /^host\.app\.progress$/, effects: APP_JOBS, ends: false },
  {
    events: /^host\.app\.seen$/,
    effects: ["host.app.wait", "host.app.waitStopped", "host.app.start", "host.app.stop"],
    ends: false,
  },
  { events: /^app\.stopped$/, effects: ["host.app.waitStopped"], ends: true },
  { events: /^app\./, effects: ["host.app.wait"], ends: true },
  { events: /^conditions\./, effects: ["hook.judge"], ends: true },
  { events: /^host\.apps\.pending$/, effects: ["host.apps.wait"], ends: false },
  { events: /^host\.apps\./, effects: ["host.apps.wait"], ends: true },
  { events: /^inputs\./, effects: ["hook.collectInputs"], ends: true },
  { events: /^oauth\.ended$/, effects: ["hook.authorize"], ends: true },
  { events: /^oauth\./, effects: ["hook.authorize"], ends: false },
  { events: /^policies\.kept$/, effects: ["policies.keep"], ends: true },
  { events: /^notify\.done$/, effects: ["notify.linked"], ends: true },
  { events: /^run\.answered$/, effects: ["hook.answer"], ends: true },
  { events: /^run\.(completed|failed|diverged)$/, effects: ["hook.run"], ends: true },
  { events: /^(run\.(started|delayed|resumed|uncertain|notResumable)$|script\.)/, effects: ["hook.run"], ends: false },
];
