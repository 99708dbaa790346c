const APP_JOBS = ["host.app.create", "host.app.upgrade", "host.app.update", "host.app.start"];

/** The effects an event may come from, and whether it ends them. The first one that is open is taken. */
export interface Origin {
  readonly events: RegExp;
  readonly effects: readonly string[];
  readonly ends: boolean;
}

/** By the event; those of people, parents, children, the clock and the engine itself are not here. */
export const ORIGINS: readonly Origin[] = [
  { events: /^host\.directories\./, effects: ["host.directories"], ends: true },
  { events: /^host\.app\.created$/, effects: ["host.app.create"], ends: true },
  { events: /^host\.app\.started$/, effects: ["host.app.start"], ends: true },
  { events: /^host\.app\.upgraded$/, effects: ["host.app.upgrade"], ends: true },
  { events: /^host\.app\.updated$/, effects: ["host.app.update"], ends: true },
  { events: /^host\.app\.failed$/, effects: APP_JOBS, ends: true },
  { events: /^host\.app\.progress$/, effects: APP_JOBS, ends: false },
  { events: /^host\.app\.seen$/, effects: ["host.app.wait"], ends: false },
  { events: /^host\.app\.(running|crashed)$/, effects: ["host.app.wait"], ends: true },
  { events: /^host\.snapshots\./, effects: ["host.snapshots"], ends: true },
  { events: /^host\.ownership\./, effects: ["host.ownership"], ends: true },
  { events: /^host\.apps\./, effects: ["host.apps.wait"], ends: true },
  { events: /^inputs\./, effects: ["hook.collectInputs"], ends: true },
  { events: /^oauth\.ended$/, effects: ["hook.authorize"], ends: true },
  { events: /^oauth\./, effects: ["hook.authorize"], ends: false },
  { events: /^notify\.done$/, effects: ["notify.linked"], ends: true },
  { events: /^run\.answered$/, effects: ["hook.answer"], ends: true },
  { events: /^run\.(completed|failed)$/, effects: ["hook.run"], ends: true },
  { events: /^(run\.started|script\.)/, effects: ["hook.run"], ends: false },
];
