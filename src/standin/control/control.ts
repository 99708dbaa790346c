import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { AppAnswers } from "../apps/answers.ts";
import type { AppRequest } from "../apps/listener.ts";
import type { ArmedFault } from "../faults.ts";
import { DockerState, type HostState, type ValueDemand } from "../host-state.ts";
import type { JobRecord } from "../jobs/job.ts";
import type { RecordedCall, StandinNetwork } from "../settings.ts";
import type { SnapshotReads } from "../world.ts";

/** Inspecting and disturbing a stand-in: not part of the host's API. */
export interface StandinControl {
  /** Arms a fault, as `NAME[@METHOD[:PERCENT]][*TIMES][=VALUE]`. */
  arm(fault: string): void;
  /** Disarms the faults of a name, or all. */
  disarm(name?: string): void;
  /** Armed and not yet spent. */
  faults(): readonly ArmedFault[];
  /** The host's memory. Holds the apps' secrets. */
  state(): HostState;
  jobs(): readonly JobRecord[];
  /** Every call received since the start, oldest first, secrets masked. */
  calls(): readonly RecordedCall[];
  /** What snapshot queries have read since the start. */
  snapshotReads(): Readonly<SnapshotReads>;
  /** Requests an app got over HTTP, oldest first. */
  requests(app: string): readonly AppRequest[];
  /** Sets the HTTP answers of an instance or catalog id from now on; its times count from its next start on. */
  setAnswers(id: string, table: AppAnswers): void;
  /** Sets them where none were set before. */
  offerAnswers(id: string, table: AppAnswers): void;
  /** Offers the apps of a folder of install scripts as they are now, beside what is offered already. */
  readCatalog(folder: string): void;
  /** Publishes a version of a catalog app as its newest and returns it: the one named, by default the next. */
  release(catalogApp: string, version?: string, train?: string): string | undefined;
  /** Lets the schema of one version of a catalog app require the value at a place, e.g. `network.web_port`. */
  demandValue(catalogApp: string, demand: ValueDemand): void;
  setDocker(status: HostState["docker"]): void;
  /** Shows parts of an app's entry otherwise: `metadata` and `portals` are free-form on the host. */
  setOddEntry(app: string, parts: JsonObject): void;
  /** Changes what the host says about its addresses, until this process ends. */
  setNetwork(network: StandinNetwork): void;
  /** Locks or unlocks an encrypted dataset. */
  setLocked(dataset: string, locked: boolean): void;
  /** Cuts every connection. */
  dropSockets(): void;
  /** Restarts the host's service: connections cut, jobs forgotten, ids from 1; containers go on. */
  restartService(): void;
  /** Restarts the machine: a service restart, a new boot id, containers that start again, and services that are enabled. */
  reboot(): Promise<void>;
  /** Forgets everything but the key and the host's identity, files included. */
  reset(): Promise<void>;
}

/** Checks the arguments and runs; a wrong argument throws. */
type Command = (control: StandinControl, given: unknown) => unknown;

function defineCommand<A extends unknown[]>(
  args: z.ZodType<A>,
  run: (control: StandinControl, ...args: A) => unknown,
): Command {
  return (control, given) => run(control, ...args.parse(given));
}

const Nothing = z.tuple([]);
const Text = z.tuple([z.string()]);
const Demand = z.strictObject({ version: z.string(), place: z.string() });
const Network = z.strictObject({ reached: z.string().nullable(), inUse: z.array(z.string()) });

/** The commands of the HTTP control interface: `POST /_standin/NAME`, body the arguments as a JSON array. */
const COMMANDS: Readonly<Record<string, Command>> = {
  arm: defineCommand(Text, (control, fault) => control.arm(fault)),
  disarm: defineCommand(Text, (control, name) => control.disarm(name)),
  disarmAll: defineCommand(Nothing, (control) => control.disarm()),
  faults: defineCommand(Nothing, (control) => control.faults()),
  state: defineCommand(Nothing, (control) => control.state()),
  jobs: defineCommand(Nothing, (control) => control.jobs()),
  calls: defineCommand(Nothing, (control) => control.calls()),
  snapshotReads: defineCommand(Nothing, (control) => control.snapshotReads()),
  requests: defineCommand(Text, (control, app) => control.requests(app)),
  setAnswers: defineCommand(z.tuple([z.string(), z.custom<AppAnswers>()]), (control, id, table) =>
    control.setAnswers(id, table),
  ),
  offerAnswers: defineCommand(z.tuple([z.string(), z.custom<AppAnswers>()]), (control, id, table) =>
    control.offerAnswers(id, table),
  ),
  readCatalog: defineCommand(Text, (control, folder) => control.readCatalog(folder)),
  release: defineCommand(Text, (control, app) => control.release(app)),
  demandValue: defineCommand(z.tuple([z.string(), Demand]), (control, app, demand) => control.demandValue(app, demand)),
  setDocker: defineCommand(z.tuple([DockerState]), (control, status) => control.setDocker(status)),
  setLocked: defineCommand(z.tuple([z.string(), z.boolean()]), (control, dataset, locked) =>
    control.setLocked(dataset, locked),
  ),
  setOddEntry: defineCommand(z.tuple([z.string(), z.record(z.string(), z.json())]), (control, app, parts) =>
    control.setOddEntry(app, parts),
  ),
  setNetwork: defineCommand(z.tuple([Network]), (control, network) => control.setNetwork(network)),
  dropSockets: defineCommand(Nothing, (control) => control.dropSockets()),
  restartService: defineCommand(Nothing, (control) => control.restartService()),
  reboot: defineCommand(Nothing, (control) => control.reboot()),
  reset: defineCommand(Nothing, (control) => control.reset()),
};

const PREFIX = "/_standin/";

/** Bytes a control request may have. */
const BODY_LIMIT = 1024 * 1024;

/**
 * Answers `POST /_standin/NAME` (bearer: the API key) with what the command returns as JSON; 400 with `{error}` for
 * arguments it does not take. False when the path is not the control interface's.
 */
export function answerControl(
  control: StandinControl,
  apiKey: string,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { url = "" } = request;
  if (!url.startsWith(PREFIX)) return false;
  const found = COMMANDS[url.slice(PREFIX.length)];
  if (request.headers.authorization !== `Bearer ${apiKey}`) response.writeHead(401).end();
  else if (found === undefined || request.method !== "POST") response.writeHead(404).end();
  else void runCommand(control, found, request, response);
  return true;
}

async function runCommand(
  control: StandinControl,
  found: Command,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body ?? null));
  };
  try {
    let text = "";
    for await (const chunk of request) {
      text += String(chunk);
      if (text.length > BODY_LIMIT) throw new Error("body too large");
    }
    const args = text === "" ? [] : JSON.parse(text);
    reply(200, await found(control, args));
  } catch (error) {
    reply(400, { error: readMessage(error) });
  }
}
