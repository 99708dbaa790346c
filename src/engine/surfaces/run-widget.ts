/** One query of a widget: compiled, run, its result read against the declaration. */
import type { Mount, RunRequest, Sandbox } from "../../../sandbox/contract.ts";
import type { Problem } from "../../core/codes/problems.ts";
import type { WidgetField } from "../../core/hooks/widget-field.ts";
import { readWidgetResult } from "../../core/hooks/widget-result.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { toUrlHost } from "../../core/plan/url-host.ts";
import type { Dictionary, Widget } from "../../core/script/dictionary.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { HostApp } from "../ports/host-records.ts";
import { findOwnPort } from "../reachable-ports.ts";

/** What a widget is run on. */
export interface WidgetDeps {
  readonly facts: HostFacts;
  readonly hostAddresses: readonly string[];
  readonly app: HostApp;
  readonly mounts: readonly Mount[];
  /** Masked in all it says: its app, and those it names, may tell them. */
  readonly secrets: readonly string[];
}

/** A widget's newest result and how it stands. */
export interface WidgetReading {
  readonly state: "ready" | "needsSetup" | "hidden" | "unavailable" | "failed";
  readonly reason?: string;
  readonly stale: boolean;
  /** UTC ms of the query the fields come from. */
  readonly at?: number;
  readonly fields?: Readonly<Record<string, WidgetField>>;
  readonly problems: readonly Problem[];
}

/** What runs widgets. */
export interface WidgetRunDeps {
  readonly sandbox: Sandbox;
  readonly catalogRoot: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ports of the LAN address that scripts may reach, as the host says now. */
  readonly appPorts: () => Promise<readonly number[]>;
  /** Those of them the embedder vouches for. */
  readonly vouchedPorts: readonly number[];
  /** Whether the embedder lets this widget send more than GET and HEAD. */
  readonly trusted: (appId: string, widgetId: string) => boolean;
}

function buildContext(
  { appId, requirements }: Dictionary,
  vouchedPorts: readonly number[],
  { facts, app, mounts }: WidgetDeps,
): JsonObject {
  const port = findOwnPort(app, requirements.ports, vouchedPorts);
  return {
    appId,
    host: toUrlHost(facts.lanIp),
    ...(port !== undefined && { port }),
    mounts: mounts.map(({ hostPath, containerPath, localPath }) => ({ hostPath, containerPath, localPath })),
  };
}

/** A reading of a query that failed. */
export function createFailed(reason: string, problems: readonly Problem[]): WidgetReading {
  return { state: "failed", reason, stale: false, problems };
}

/** Runs a widget once. `running` holds the run while it goes on, so that it can be stopped. Rejects where no run can be had. */
export async function runWidget(
  options: WidgetRunDeps,
  running: Set<{ stop(): void }>,
  { dictionary, widget }: { readonly dictionary: Dictionary; readonly widget: Widget },
  deps: WidgetDeps,
): Promise<WidgetReading> {
  const { appId } = dictionary;
  const { sandbox, clock, logger } = options;
  const compiled = await sandbox.compile({
    app: appId,
    root: options.catalogRoot,
    source: widget.source,
    entrypoint: widget.entrypoint,
    label: `${appId}.json#${widget.id}`,
  });
  if (!compiled.ok)
    return createFailed(compiled.problems[0]?.message ?? "the script does not compile", compiled.problems);
  const at = clock.now();
  const request: RunRequest = {
    runId: `widget:${appId}/${widget.id}:${at}`,
    kind: "widget",
    script: compiled.script,
    entrypoint: widget.entrypoint,
    context: buildContext(dictionary, options.vouchedPorts, deps),
    secrets: deps.secrets,
    wallMs: widget.timeout * 1000,
    network: {
      lanIp: deps.facts.lanIp,
      lanPorts: async () => [...(await options.appPorts()), ...(deps.app.hostNetworkPorts ?? [])],
      hostAddresses: deps.hostAddresses,
      internet: !dictionary.custom,
      readOnly: !options.trusted(appId, widget.id),
    },
    mounts: deps.mounts,
    seed: `${appId}/${widget.id}:${at}`,
  };
  const run = sandbox.run(request, {
    call: async ({ kind }) => {
      throw new Error(`a widget can't call "${kind}"`);
    },
    log: (line) => logger.debug({ appId, widget: widget.id, line }, "widget log"),
    audit: (record) => logger.debug({ appId, widget: widget.id, ...record }, "widget access"),
  });
  running.add(run);
  const outcome = await run.outcome.finally(() => running.delete(run));
  if (outcome.status === "failed") return createFailed(outcome.message, []);
  const result = readWidgetResult(widget, outcome.result);
  switch (result.kind) {
    case "needsSetup":
      return { state: "needsSetup", reason: result.reason, stale: false, at, problems: [] };
    case "invalid":
      return createFailed(result.message, []);
    case "fields":
      return { state: "ready", stale: false, at, fields: result.fields, problems: result.problems };
  }
}
