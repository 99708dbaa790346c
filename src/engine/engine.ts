/**
 * The engine: machines, effects and ports put together behind the public interface.
 *
 * Invariants:
 * 1. Every method that changes something goes through the runtime, so it is committed before it resolves.
 * 2. Views read rows; no method loads a machine.
 */
import { machines } from "../../machines/index.ts";
import type { Engine } from "./api.ts";
import { Audit } from "./audit/audit.ts";
import { readAudit } from "./audit/read-audit.ts";
import { completeSettings } from "./complete-settings.ts";
import { Drain } from "./drain.ts";
import { DriftWatch } from "./drift/drift-watch.ts";
import { createEffects } from "./effects/effects.ts";
import type { EngineSettings } from "./engine-settings.ts";
import { createHints } from "./hints/hints.ts";
import { createCatalogHint } from "./hints/waiting-hints.ts";
import { createLife } from "./life.ts";
import type { MethodDeps } from "./methods/deps.ts";
import { readHealth, readReadiness } from "./methods/health.ts";
import { createLifecycleMethods } from "./methods/lifecycle-methods.ts";
import { createMoveMethods } from "./methods/move/move-methods.ts";
import { createTaskMethods } from "./methods/task-methods.ts";
import { AuditRange, readRequest } from "./requests.ts";
import { createRuntime } from "./runtime/create-runtime.ts";
import type { RegisteredMachine } from "./runtime/effect.ts";
import { JournalWriter } from "./runtime/journal-writer.ts";
import { createPolicyMethods } from "./schedule/policy-methods.ts";
import { UnattendedUpgrades } from "./schedule/unattended-upgrades.ts";
import { separateTrains } from "./separate-trains.ts";
import { createPromptHost } from "./standing/answer-promptly.ts";
import { followUpgrades } from "./standing/roll-back-failed.ts";
import { watchHost } from "./standing/watch-host.ts";
import { createAppLabels } from "./surfaces/app-labels.ts";
import { syncCatalog } from "./surfaces/catalog-view.ts";
import { createHostAnswers } from "./surfaces/host-answers.ts";
import { createServedCatalog } from "./surfaces/last-scripts.ts";
import type { NameOf } from "./surfaces/name-apps.ts";
import { createSurfaceMethods } from "./surfaces/surface-methods.ts";
import { createSurfaces } from "./surfaces/surfaces.ts";
import { Telemetry } from "./telemetry/telemetry.ts";
import { KnownSchemas } from "./values/known-schemas.ts";
import { listAppSecrets } from "./vault/app-secrets.ts";
import { createMasks } from "./vault/secrets.ts";

/** Ms a request of a person goes on asking a host that is known to be away: it may just be starting again. */
const REQUEST_GRACE_MS = 3_000;
const REGISTRY: Readonly<Record<string, RegisteredMachine>> = machines;

/**
 * Makes an engine. Call `recover` once before anything else. Closing it stops every script and frees the store; host,
 * catalog and sandbox belong to the caller.
 */
export function createEngine(settings: EngineSettings): Engine {
  const given = completeSettings(settings);
  const { store, catalog, clock, randomness, logger, timing, folders, onNotification, unattended } = given;
  const telemetry = new Telemetry(store, given.host, given.sandbox, given.telemetry);
  const { sandbox } = telemetry;
  const watch = watchHost(separateTrains(telemetry.host, given), clock, logger, () => {
    drift.lookSoon();
    upgrades.look();
  });
  const { host } = watch;
  const answers = createHostAnswers(host, { watch, clock });
  const common = { schemas: new KnownSchemas(host, clock, logger), store, catalog, sandbox, clock, logger };
  const secretsOf = (appId: string) => listAppSecrets(store, appId, view().apps.get(appId)?.dictionary ?? null);
  const masks = createMasks(store, secretsOf);
  const listAppPorts = async () => [...(await host.appPorts()), ...given.hostNetworkPorts];
  const journals = new JournalWriter(common);
  const handlers = createEffects({
    ...common,
    host,
    folders,
    providers: given.providers,
    appPorts: listAppPorts,
    vouchedPorts: given.hostNetworkPorts,
    timing,
    masks,
    journals,
    onPolicies: () => upgrades.look(),
    onNotification,
  });
  const runtime = createRuntime({
    store,
    registry: REGISTRY,
    handlers: telemetry.effects(handlers),
    committed: (turn) => {
      telemetry.committed(turn);
      answers.note(turn.rows);
    },
    clock,
    randomness,
    logger,
    nameOf: (appId) => nameOf(appId),
    mask: (rootId) => masks.of(rootId),
    kept: given.kept,
  });
  const onAppsChanged = () => drift.lookAfterChange();
  telemetry.readFrom(runtime, clock);
  const hints = createHints({ clock, logger, answers, runtime, store, onAppsChanged, view: () => view() });
  const view = createServedCatalog(given, (changes) => hints.tell(createCatalogHint(changes)));
  const labels = createAppLabels(host, clock, logger, () => watch.standing().fault !== null);
  const nameOf: NameOf = (appId) => labels.known(appId, view());
  const promptHost = createPromptHost(watch, clock, REQUEST_GRACE_MS);
  const shared = { ...common, host: promptHost, answers, view, labels, nameOf, hints };
  const drift = new DriftWatch({
    ...shared,
    timing: unattended ? timing : { ...timing, driftEvery: 0 },
    changes: (signal) => runtime.watch(store.lastSeq(), signal),
  });
  const surfaces = createSurfaces({
    ...shared,
    folders,
    icons: given.icons,
    appPorts: listAppPorts,
    vouchedPorts: given.hostNetworkPorts,
    secretsOf,
    ...(given.trustedWidget && { trustedWidget: given.trustedWidget }),
  });
  const deps: MethodDeps = {
    ...shared,
    runtime,
    registry: REGISTRY,
    watch,
    randomness,
    timing,
    masks,
    enforceRequirements: given.enforceRequirements,
  };

  const audit = new Audit(common);

  const upgrades = new UnattendedUpgrades({ ...deps, onNotification });
  const stop = () => closeAll([upgrades, drift, hints, surfaces, watch]);
  const begin = () => {
    followUpgrades(deps);
    if (unattended) upgrades.start();
    drift.start();
  };
  const life = createLife({ store, runtime, journals, telemetry, logger, stop, begin });
  const drain = new Drain({ store, runtime, clock, hints, logger, close: () => life.close() });

  return {
    ...createLifecycleMethods(deps, audit),
    ...createPolicyMethods(deps, audit, upgrades),
    ...createTaskMethods(deps, audit),
    ...createMoveMethods(deps, audit),

    ...createSurfaceMethods(surfaces, audit),
    audit: (range = {}) => readAudit(store, readRequest(AuditRange, range), nameOf),
    syncCatalog: () => syncCatalog(deps),
    watchHints: (signal) => hints.watch(signal),

    drift: () => drift.read(),
    lookForDrift: () => drift.look(),
    backup: (request, by) => audit.act("backup", {}, by, () => store.backup(request)),
    recover: () => life.recover(),
    health: () => readHealth(deps, drain.standing(), given.kept.bytes),
    readiness: () => readReadiness(deps, { ...life.state(), draining: drain.standing() !== null }),
    drain: (request = {}, by) => audit.change("drain", {}, by, (deed) => drain.run(request, () => audit.note(deed))),
    close: () => life.close(),
  };
}

function closeAll(parts: readonly { close(): void }[]): void {
  for (const part of parts) part.close();
}
