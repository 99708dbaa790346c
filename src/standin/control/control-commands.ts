import { randomUUID } from "node:crypto";
import { deriveAppState } from "../apps/entry.ts";
import { parseFault } from "../faults.ts";
import { dropLocked, setLocked } from "../files/locking.ts";
import { makeMountpoints, removeMountpoints } from "../files/mountpoints.ts";
import { dropAllFiles } from "../files/snapshot-files.ts";
import type { RecordedCall } from "../settings.ts";
import type { StateFile } from "../state.ts";
import type { World } from "../world.ts";
import type { StandinControl } from "./control.ts";

/** Binds the control interface to a running stand-in. */
export function createControl(parts: {
  readonly world: World;
  readonly file: StateFile;
  readonly calls: RecordedCall[];
  restartService(): void;
  dropSockets(): void;
}): StandinControl {
  const { world, file, calls, restartService, dropSockets } = parts;
  const { state, faults, runtime, commit } = world;
  return {
    arm: (fault) => faults.arm(parseFault(fault)),
    disarm: (name) => faults.disarm(name),
    faults: () => faults.list(),
    state: () => state,
    jobs: () => world.jobs.list(),
    calls: () => calls,
    snapshotReads: () => world.snapshotReads,
    requests: (app) => runtime.requests(app),
    setAnswers: (id, table) => runtime.setAnswers(id, table),
    offerAnswers: (id, table) => runtime.offerAnswers(id, table),
    readCatalog: (folder) => world.catalog.read(folder),
    release: (app, wanted, train) => {
      const version = world.catalog.release(app, wanted, train);
      commit();
      return version;
    },
    demandValue: (app, demand) => {
      state.demands[app] = [...(state.demands[app] ?? []), demand];
      commit();
    },
    setDocker: (status) => {
      state.docker = status;
      commit();
      world.events.emit("changed", "docker.state", null, { status });
    },
    setOddEntry: (app, parts) => {
      world.oddEntries.set(app, parts);
    },
    setNetwork: (network) => {
      world.network = network;
    },
    setLocked: (dataset, locked) => {
      setLocked(world, dataset, locked);
    },
    dropSockets,
    restartService,
    reboot: async () => {
      state.bootId = randomUUID();
      world.boot.at = world.now();
      state.smbRunning = state.smbEnabled;
      restartService();
      for (const app of Object.values(state.apps))
        if (deriveAppState(app.containers) !== "STOPPED") await runtime.up(app);
      commit();
    },
    reset: async () => {
      restartService();
      faults.disarm();
      for (const app of Object.values(state.apps)) await runtime.down(app);
      removeMountpoints(world.dir, state);
      dropAllFiles(world.dir);
      dropLocked(world.dir);
      file.reset();
      calls.length = 0;
      Object.assign(world.snapshotReads, { queries: 0, names: 0, rows: 0 });
      runtime.forgetRequests();
      makeMountpoints(world.dir, state);
    },
  };
}
