import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "../../core/json/json.ts";
import type { Host } from "../../engine/ports/host.ts";
import type { HostCapability, HostJob, JobCall, JobRef } from "../../engine/ports/host-records.ts";
import { completeHost, type HostPart, type OwnHost } from "../../engine/ports/own-host.ts";
import type { TestHooks } from "../test-hooks.ts";

/** One host under test, fresh, with the apps service running and no app installed. */
export interface HostUnderTest {
  readonly host: OwnHost;
  /** Path of a folder that exists on the host; the suite makes folders in it. */
  readonly folder: string;
  /** Path of a folder no app may have, if there is one. */
  readonly forbidden?: string;
  readonly app: OfferedApp;
  /** Forgets all jobs, as a restart of the host's service does; absent on a host that never forgets one. */
  restart?(): Promise<void>;
  /** Sets the state of the apps service; absent on a host that always runs apps. */
  setAppsService?(status: string): Promise<void>;
  stop(): Promise<void>;
}

/** A host under test that has a group of methods. */
export type HostWith<Name extends HostCapability> = HostUnderTest & { readonly host: HostPart<Name> };

/** An app of the host's catalog, and how the suite installs it. */
export interface OfferedApp {
  /** Instance name and id in the host's catalog. */
  readonly id: string;
  readonly train: string;
  /** The newest version the catalog offers. */
  readonly newest: string;
  /** Two TCP ports that are free. */
  readonly ports: readonly [number, number];
  /** Values that publish a port, with a folder of the host if one is given. */
  values(port: number, folder: string | null): JsonObject;
  /** A section of its values that `values` leaves alone. */
  readonly section: JsonObject;
  /** Where the app sees the folder; absent on a host that lists no mounts. */
  readonly containerPath?: string;
  /** Path of the folder's field as a validation error of the host names it; absent on a host that names none. */
  readonly folderField?: string;
}

/** What the tests of a part use. */
export interface Play<Under extends HostUnderTest> {
  /** The host of the running test, with what the engine derives where it has no method of its own. */
  it(): Under & { readonly host: Host };
  toPath(rest: string): string;
  create(more?: Partial<Extract<JobCall, { method: "createApp" }>>): JobCall;
  /** Values of the app at its first port. */
  values(folder?: string): JsonObject;
  /** Runs a job to its end. */
  end(call: JobCall): Promise<{ readonly job: HostJob; readonly seen: readonly HostJob[]; readonly ref: JobRef }>;
  awaitEnd(call: JobCall): Promise<HostJob>;
  awaitRunning(): Promise<void>;
}

/** Declares one part of the suite: a fresh host for each of its tests. */
export function declarePart<Under extends HostUnderTest>(
  { afterEach, beforeEach, describe, expect }: TestHooks,
  title: string,
  open: () => Promise<Under>,
  declare: (play: Play<Under>) => void,
): void {
  let under: (Under & { readonly host: Host }) | null = null;
  const it = (): Under & { readonly host: Host } => {
    if (under === null) throw new Error("the host under test is not open");
    return under;
  };
  const values = (folder?: string) => it().app.values(it().app.ports[0], folder ?? null);
  const end: Play<Under>["end"] = async (call) => {
    const { host } = it();
    const requestId = randomUUID();
    const started = await host.startJob(call, requestId);
    const seen: HostJob[] = [];
    const at = started.startedAt !== undefined && { startedAt: started.startedAt };
    const ref: JobRef = { requestId, method: call.method, id: started.id, ...at };
    const job = await host.waitJob(ref, { signal: AbortSignal.timeout(30_000), progress: (each) => seen.push(each) });
    if (job === null) throw new Error(`the host forgot ${call.method}`);
    return { job, seen, ref };
  };
  const play: Play<Under> = {
    it,
    values,
    end,
    toPath: (rest) => `${it().folder}/${rest}`,
    create: (more = {}) => {
      const { id, train } = it().app;
      return { method: "createApp", name: id, catalogApp: id, train, values: values(), ...more };
    },
    awaitEnd: async (call) => (await end(call)).job,
    async awaitRunning() {
      const { host, app } = it();
      const until = Date.now() + 20_000;
      let state = (await host.app(app.id))?.state;
      while (state !== "RUNNING" && Date.now() < until) {
        await delay(50);
        state = (await host.app(app.id))?.state;
      }
      expect(state).toBe("RUNNING");
    },
  };
  describe(`Host port: ${title}`, () => {
    beforeEach(async () => {
      const opened = await open();
      under = { ...opened, host: completeHost(opened.host) };
    });
    afterEach(() => it().stop());
    declare(play);
  });
}
